#!/usr/sbin/dtrace -s
/*
 * shortlived.d: which processes live only briefly, whose children are they, and what do they cost together?
 *
 * Usage: shortlived.d [-p PID | -c COMMAND] [milliseconds]
 *
 * Programs that start others again and again use CPU time that top(1) never shows. Counts processes that end within a
 * second, or as told. With -p or -c: only descendants of that process.
 *
 * Columns:
 *	PARENT	command of the parent
 *	COMM	command
 *	COUNT	how many lived so briefly
 *	CPU_ms	milliseconds of CPU time that they used
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int WANTED = $target == 0 || progenyof($target);

proc:::exit
/WANTED && timestamp - curthread->group_leader->start_time < ($1 ? $1 : 1000) * 1000000/
{
	@count[curthread->real_parent->comm, execname] = count();
	@cpu[curthread->real_parent->comm, execname] =
	    sum(curthread->signal->sum_sched_runtime + curthread->se.sum_exec_runtime);
}

END
{
	normalize(@cpu, 1000000);
	printf("%-15s %-15s %8s %10s\n", "PARENT", "COMM", "COUNT", "CPU_ms");
	printa("%-15s %-15s %@8d %@10d\n", @count, @cpu);
}
