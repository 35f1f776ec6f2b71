#!/usr/sbin/dtrace -s
/*
 * switches.d: which processes give their CPU away because they wait, and which lose it?
 *
 * Usage: switches.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	PID	process
 *	COMM	its command
 *	WAITED	times that a thread of it waited for something (voluntary)
 *	LOST	times that a thread of it could have gone on (involuntary)
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid && pid != 0 : progenyof($target);

sched:::sleep
/WANTED/
{
	@waited[pid, execname] = count();
}

sched:::preempt
/WANTED/
{
	@lost[pid, execname] = count();
}

END
{
	printf("%7s %-15s %10s %10s\n", "PID", "COMM", "WAITED", "LOST");
	printa("%7d %-15s %@10d %@10d\n", @waited, @lost);
}
