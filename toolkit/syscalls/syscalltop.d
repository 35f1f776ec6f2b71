#!/usr/sbin/dtrace -s
/*
 * syscalltop.d: which processes make most system calls now, and which?
 *
 * Usage: syscalltop.d [-p PID | -c COMMAND] [seconds [lines]]
 *
 * A report every 5 seconds, or as told, of the 20 most frequent, the most frequent last. With -p or -c: only that process
 * and its descendants.
 *
 * Columns:
 *	PID	process
 *	COMM	its command
 *	SYSCALL	system call
 *	COUNT	calls
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline int SECONDS = $1 ? $1 : 5;

BEGIN
{
	left = SECONDS;
}

syscall:::entry
/WANTED/
{
	@count[pid, execname, probefunc] = count();
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	trunc(@count, $2 ? $2 : 20);
	printf("%Y\n%7s %-15s %-24s %10s\n", walltimestamp, "PID", "COMM", "SYSCALL", "COUNT");
	printa("%7d %-15s %-24s %@10d\n", @count);
	trunc(@count);
	left = SECONDS;
}
