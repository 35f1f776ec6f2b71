/* A failing call returns -1 and sets errno; a good one has errno 0. @@flags -q
 * @@trigger sh -c 'cd /no/such/dir 2>/dev/null; cd /etc/hostname 2>/dev/null; cd /'
 */
syscall::chdir:return
/pid == $target/
{
	printf("%d %d %d\n", (int)arg0, (int)arg1, errno);
}
