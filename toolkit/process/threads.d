#!/usr/sbin/dtrace -s
/*
 * threads.d: which processes make threads, how many, and how long do those live?
 *
 * Usage: threads.d [-p PID | -c COMMAND]
 *
 * Many threads that live briefly want a pool. With -p or -c: only that process and its descendants. The first thread of a
 * process is not counted.
 *
 * Columns:
 *	PID	process
 *	COMM	name of the thread that made or ended
 *	MADE	threads made
 *	ENDED	threads ended
 *	LIVED_ms	milliseconds that those lived, together
 *	MAX_ms	milliseconds of the longest
 */

#pragma D option quiet

inline int WANTED = $target == 0 || progenyof($target);

proc:::lwp-create
/WANTED && args[0]->pr_lwpid != args[1]->pr_pid/
{
	@made[pid, execname] = count();
}

proc:::lwp-exit
/WANTED && tid != pid/
{
	this->ms = (timestamp - curthread->start_time) / 1000000;
	@ended[pid, execname] = count();
	@lived[pid, execname] = sum(this->ms);
	@max[pid, execname] = max(this->ms);
}

END
{
	printf("%7s %-15s %8s %8s %12s %10s\n", "PID", "COMM", "MADE", "ENDED", "LIVED_ms", "MAX_ms");
	printa("%7d %-15s %@8d %@8d %@12d %@10d\n", @made, @ended, @lived, @max);
}
