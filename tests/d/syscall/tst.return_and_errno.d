/* @@flags -q
 * @@trigger cat /no/such/file
 * @@timeout 10
 */
syscall::openat:entry
/pid == $target/
{
	self->path = copyinstr(arg1);
}

syscall::openat:return
/self->path == "/no/such/file"/
{
	printf("%d %d\n", (int)arg0, errno);
}

syscall::openat:return
{
	self->path = 0;
}
