#!/usr/sbin/dtrace -s
/*
 * statsnoop.d: which paths are looked at without being opened, by whom, and which of them are not there?
 *
 * Usage: statsnoop.d [-p PID | -c COMMAND]
 *
 * stat(2), access(2), readlink(2) and their like: long searches along a path or for configuration files show here. With -p
 * or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	PID	process
 *	COMM	its command
 *	CALL	system call
 *	ERR	0, or errno (2: it is not there)
 *	PATH	as the process gave it
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %-12s %3s %s\n", "TIME_ms", "PID", "COMM", "CALL", "ERR", "PATH");
}

syscall::stat:entry, syscall::lstat:entry, syscall::access:entry, syscall::readlink:entry, syscall::statfs:entry
/WANTED/
{
	self->path = arg0;
}

syscall::newfstatat:entry, syscall::statx:entry, syscall::faccessat:entry, syscall::faccessat2:entry,
syscall::readlinkat:entry
/WANTED/
{
	self->path = arg1;
}

/* An empty path asks about a descriptor. */
syscall::stat:return, syscall::lstat:return, syscall::access:return, syscall::readlink:return, syscall::statfs:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return
/self->path/
{
	this->path = copyinstr(self->path);
	self->path = 0;
}

syscall::stat:return, syscall::lstat:return, syscall::access:return, syscall::readlink:return, syscall::statfs:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return
/this->path != ""/
{
	printf("%8d %7d %-15s %-12s %3d %s\n", (timestamp - begin) / 1000000, pid, execname, probefunc, errno, this->path);
	this->path = "";
}
