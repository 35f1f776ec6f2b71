/* Arguments at entry and results at return of calls known to the byte. @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=777 count=3 status=none
 */
int bytes, same, errors;

syscall::read:entry
/pid == $target && arg2 == 777/
{
	entries++;
	fds = arg0;
	self->in = 1;
}

syscall::read:return
/self->in/
{
	bytes += arg0;
	same += arg0 == arg1;
	errors += errno;
	self->in = 0;
}

syscall::write:entry
/pid == $target && args[2] == 777/
{
	writes++;
	to = args[0];
}


END
{
	printf("%d reads of fd %d, %d bytes, arg0 == arg1 %d times, errno %d\n", entries, fds, bytes, same, errors);
	printf("%d writes to fd %d\n", writes, to);
}
