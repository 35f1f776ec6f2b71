#!/usr/sbin/dtrace -s
/*
 * slowcalls.d: which system calls take long, and where in the program are they made?
 *
 * Usage: slowcalls.d [-p PID | -c COMMAND] [milliseconds]
 *
 * A line and the stack of the program for each call that takes 10 milliseconds or longer, or as told. Many wait because
 * they are asked to (poll, futex, read from a terminal). With -p or -c: only that process and its descendants.
 *
 * Output: milliseconds since tracing began, process, command, system call, milliseconds that it took, errno if it
 * failed, and the stack of the program.
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("Tracing slow system calls. End with Ctrl-C.\n");
}

syscall:::entry
/WANTED/
{
	self->start = timestamp;
}

syscall:::return
/self->start && timestamp - self->start >= ($1 ? $1 : 10) * 1000000/
{
	printf("%8d %7d %-15s %-20s %8d ms %d", (timestamp - begin) / 1000000, pid, execname, probefunc,
	    (timestamp - self->start) / 1000000, errno);
	ustack();
}

syscall:::return
/self->start/
{
	self->start = 0;
}
