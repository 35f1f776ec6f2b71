#!/usr/sbin/dtrace -s
/*
 * fsyncsnoop.d: who makes sure that data are on the disk, for which file, and how long does that take?
 *
 * Usage: fsyncsnoop.d [-p PID | -c COMMAND]
 *
 * fsync(2), fdatasync(2), sync(2), syncfs(2), sync_file_range(2) and msync(2) wait for the disk. With -p or -c: only
 * that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, at the return
 *	PID	process
 *	COMM	its command
 *	CALL	system call
 *	LAT_us	microseconds that it took
 *	ERR	0, or errno
 *	PATH	file, where the call names one
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %-15s %8s %3s %s\n", "TIME_ms", "PID", "COMM", "CALL", "LAT_us", "ERR", "PATH");
}

syscall::fsync:entry, syscall::fdatasync:entry, syscall::sync_file_range:entry, syscall::syncfs:entry
/WANTED/
{
	self->path = fds[arg0].fi_pathname;
	self->start = timestamp;
}

syscall::sync:entry, syscall::msync:entry
/WANTED/
{
	self->path = "-";
	self->start = timestamp;
}

syscall::fsync:return, syscall::fdatasync:return, syscall::sync_file_range:return, syscall::syncfs:return,
syscall::sync:return, syscall::msync:return
/self->start/
{
	printf("%8d %7d %-15s %-15s %8d %3d %s\n", (timestamp - begin) / 1000000, pid, execname, probefunc,
	    (timestamp - self->start) / 1000, errno, self->path);
	self->start = 0;
	self->path = 0;
}
