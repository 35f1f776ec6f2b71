#!/usr/sbin/dtrace -s
/*
 * errinfo.d: which system calls fail, of which programs, and why?
 *
 * Usage: errinfo.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	COMM	command
 *	SYSCALL	system call
 *	ERR	errno
 *	NAME	its name, for those that are met often (errno(3) has all)
 *	COUNT	how often
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

string name[int];

BEGIN
{
	name[EPERM] = "EPERM"; name[ENOENT] = "ENOENT"; name[ESRCH] = "ESRCH"; name[EINTR] = "EINTR"; name[EIO] = "EIO";
	name[ENXIO] = "ENXIO"; name[E2BIG] = "E2BIG"; name[ENOEXEC] = "ENOEXEC"; name[EBADF] = "EBADF";
	name[ECHILD] = "ECHILD"; name[EAGAIN] = "EAGAIN"; name[ENOMEM] = "ENOMEM"; name[EACCES] = "EACCES";
	name[EFAULT] = "EFAULT"; name[EBUSY] = "EBUSY"; name[EEXIST] = "EEXIST"; name[ENODEV] = "ENODEV";
	name[ENOTDIR] = "ENOTDIR"; name[EISDIR] = "EISDIR"; name[EINVAL] = "EINVAL"; name[EMFILE] = "EMFILE";
	name[ENOTTY] = "ENOTTY"; name[EFBIG] = "EFBIG"; name[ENOSPC] = "ENOSPC"; name[ESPIPE] = "ESPIPE";
	name[EROFS] = "EROFS"; name[EPIPE] = "EPIPE"; name[ERANGE] = "ERANGE"; name[ENOSYS] = "ENOSYS";
	name[ENOTEMPTY] = "ENOTEMPTY"; name[ELOOP] = "ELOOP"; name[ENODATA] = "ENODATA";
	name[EADDRINUSE] = "EADDRINUSE"; name[ECONNRESET] = "ECONNRESET"; name[ENOTCONN] = "ENOTCONN";
	name[ETIMEDOUT] = "ETIMEDOUT"; name[ECONNREFUSED] = "ECONNREFUSED"; name[EINPROGRESS] = "EINPROGRESS";
	name[EHOSTUNREACH] = "EHOSTUNREACH";
}

syscall:::return
/errno && WANTED/
{
	@count[execname, probefunc, errno, name[errno]] = count();
}

END
{
	printf("%-15s %-20s %4s %-14s %8s\n", "COMM", "SYSCALL", "ERR", "NAME", "COUNT");
	printa("%-15s %-20s %4d %-14s %@8d\n", @count);
}
