#!/usr/sbin/dtrace -s
/*
 * execsnoop.d: which programs are started, by whom, and which cannot be?
 *
 * Usage: execsnoop.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only what that process and its descendants start.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	UID	real user
 *	PPID	parent of the process
 *	PID	process
 *	ERR	0, or why the program could not be started (errno)
 *	ARGS	program and arguments; without arguments if it could not be started
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %6s %7s %7s %3s %s\n", "TIME_ms", "UID", "PPID", "PID", "ERR", "ARGS");
}

proc:::exec
/WANTED/
{
	self->path = args[0];
}

proc:::exec-success
/WANTED/
{
	printf("%8d %6d %7d %7d %3d %s\n", (timestamp - begin) / 1000000, uid, ppid, pid, 0, curpsinfo->pr_psargs);
}

proc:::exec-failure
/WANTED/
{
	printf("%8d %6d %7d %7d %3d %s\n", (timestamp - begin) / 1000000, uid, ppid, pid, args[0], self->path);
}

proc:::exec-success, proc:::exec-failure
{
	self->path = 0;
}
