#!/usr/sbin/dtrace -s
/*
 * filelife.d: which files are made only to be removed soon, by whom, and how long do they live?
 *
 * Usage: filelife.d [-p PID | -c COMMAND]
 *
 * Files that a process makes (with O_CREAT, or creat(2)) and any process removes while this runs, under the path by which
 * they were made. With -p or -c: only what that process and its descendants make and remove.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when it was removed
 *	PID	process that removed it
 *	COMM	its command
 *	AGE_ms	milliseconds from making to removing
 *	PATH	as the processes gave it
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %10s %s\n", "TIME_ms", "PID", "COMM", "AGE_ms", "PATH");
}

syscall::openat:entry
/WANTED && (arg2 & O_CREAT)/
{
	self->made = arg1;
}

/* On 64-bit Arm these names mean openat. */
syscall::open:entry
/WANTED && probefunc == "open" && (arg1 & O_CREAT)/
{
	self->made = arg0;
}

syscall::creat:entry
/WANTED && probefunc == "creat"/
{
	self->made = arg0;
}

syscall::openat:return, syscall::open:return, syscall::creat:return
/self->made && errno == 0/
{
	made[copyinstr(self->made)] = timestamp;
}

syscall::openat:return, syscall::open:return, syscall::creat:return
{
	self->made = 0;
}

syscall::rename:entry
/WANTED/
{
	self->from = arg0;
	self->to = arg1;
}

syscall::renameat:entry, syscall::renameat2:entry
/WANTED/
{
	self->from = arg1;
	self->to = arg3;
}

syscall::rename*:return
/self->from && errno == 0/
{
	made[copyinstr(self->to)] = made[copyinstr(self->from)];
	made[copyinstr(self->from)] = 0;
}

syscall::rename*:return
{
	self->from = 0;
	self->to = 0;
}

syscall::unlink:entry
/WANTED/
{
	self->gone = arg0;
}

syscall::unlinkat:entry
/WANTED/
{
	self->gone = arg1;
}

syscall::unlink:return, syscall::unlinkat:return
/self->gone && errno == 0 && made[copyinstr(self->gone)]/
{
	printf("%8d %7d %-15s %10d %s\n", (timestamp - begin) / 1000000, pid, execname,
	    (timestamp - made[copyinstr(self->gone)]) / 1000000, copyinstr(self->gone));
	made[copyinstr(self->gone)] = 0;
}

syscall::unlink:return, syscall::unlinkat:return
{
	self->gone = 0;
}
