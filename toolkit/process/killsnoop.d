#!/usr/sbin/dtrace -s
/*
 * killsnoop.d: which signals are sent, by whom, and to whom?
 *
 * Usage: killsnoop.d [-p PID | -c COMMAND]
 *
 * What the kernel sends of itself (SIGCHLD, SIGSEGV) is there too, under the process that was running. With -p or -c: only
 * those that this process and its descendants send.
 *
 * Columns:
 *	TIME	when
 *	UID	real user of the sender
 *	PID	sender
 *	COMM	its command
 *	SIGNAL	number; kill -l has the names
 *	TPID	process that it is sent to
 *	TARGET	its command
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("%-20s %6s %7s %-15s %6s %7s %s\n", "TIME", "UID", "PID", "COMM", "SIGNAL", "TPID", "TARGET");
}

proc:::signal-send
/WANTED/
{
	printf("%Y %6d %7d %-15s %6d %7d %s\n", walltimestamp, uid, pid, execname, args[2], args[1]->pr_pid,
	    args[1]->pr_fname);
}
