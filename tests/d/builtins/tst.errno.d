/* errno of a call that failed and of one that did not.
 * @@flags -q
 * @@trigger sh -c 'cat /etc/hostname > /dev/null; cat /no/such/file 2> /dev/null; true'
 */
syscall::openat:entry
/progenyof($target)/
{
	self->path = copyinstr(arg1);
}

syscall::openat:return
/self->path == "/no/such/file"/
{
	printf("%d %d %d\n", (int)arg0, (int)arg1, errno);
}

syscall::openat:return
/self->path == "/etc/hostname"/
{
	printf("%d %d\n", (int)arg0 > 2, errno);
}

syscall::openat:return
{
	self->path = 0;
}
