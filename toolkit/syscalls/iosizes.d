#!/usr/sbin/dtrace -s
/*
 * iosizes.d: how much do programs read and write at a time?
 *
 * Usage: iosizes.d [-p PID | -c COMMAND]
 *
 * Many calls for few bytes want a buffer. With -p or -c: only that process and its descendants.
 *
 * Output: for each command and system call the distribution of the bytes that a call moved.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Tracing reads and writes. End with Ctrl-C.\n");
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv*:return, syscall::recvfrom:return,
syscall::recvmsg:return, syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev*:return,
syscall::sendto:return, syscall::sendmsg:return
/WANTED && arg1 >= 0/
{
	@bytes[execname, probefunc] = quantize(arg1);
}

END
{
	printa("%s, %s, bytes:%@d\n", @bytes);
}
