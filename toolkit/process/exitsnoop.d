#!/usr/sbin/dtrace -s
/*
 * exitsnoop.d: which processes end, how, and how long did they live?
 *
 * Usage: exitsnoop.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	PID	process
 *	PPID	its parent
 *	COMM	its command
 *	LIFE_ms	milliseconds since it was made
 *	HOW	exit: it ended itself; killed, dumped: by a signal, without and with a core dump
 *	CODE	exit status, or number of the signal
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %7s %-15s %10s %-6s %4s\n", "TIME_ms", "PID", "PPID", "COMM", "LIFE_ms", "HOW", "CODE");
}

proc:::exit
/WANTED/
{
	this->code = curthread->signal->group_exit_code ? curthread->signal->group_exit_code : curthread->exit_code;
	printf("%8d %7d %7d %-15s %10d %-6s %4d\n", (timestamp - begin) / 1000000, pid, ppid, execname,
	    (timestamp - curthread->group_leader->start_time) / 1000000,
	    args[0] == 1 ? "exit" : args[0] == 2 ? "killed" : "dumped",
	    args[0] == 1 ? this->code >> 8 & 0xff : this->code & 0x7f);
}
