#!/usr/sbin/dtrace -s
/*
 * opensnoop.d: which files are opened, by whom, and which cannot be?
 *
 * Usage: opensnoop.d [-p PID | -c COMMAND] [name]
 *
 * With a name: only paths that have it in them. With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	PID	process
 *	COMM	its command
 *	FD	descriptor, or -1
 *	ERR	0, or why it could not be opened (errno)
 *	PATH	as the process gave it; relative paths begin at its directory
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %4s %3s %s\n", "TIME_ms", "PID", "COMM", "FD", "ERR", "PATH");
}

syscall::open:entry, syscall::creat:entry
/WANTED/
{
	self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry
/WANTED/
{
	self->path = arg1;
}

/* The kernel has read the path by now, so it is in memory. */
syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->path/
{
	this->path = copyinstr(self->path);
	self->path = 0;
	this->wanted = $$1 == "" || strstr(this->path, $$1) != NULL;
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/this->wanted/
{
	printf("%8d %7d %-15s %4d %3d %s\n", (timestamp - begin) / 1000000, pid, execname, arg1, errno, this->path);
	this->wanted = 0;
}
