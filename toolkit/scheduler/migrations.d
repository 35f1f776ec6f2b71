#!/usr/sbin/dtrace -s
/*
 * migrations.d: which threads move between CPUs, and where to?
 *
 * Usage: migrations.d [-p PID | -c COMMAND]
 *
 * A thread that moves leaves its cache behind. With -p or -c: only threads of that process and its descendants.
 *
 * Columns:
 *	COMM	command
 *	FROM	CPU that it ran on before
 *	TO	CPU that it runs on now
 *	COUNT	how often
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid && pid != 0 : progenyof($target);

self int cpu;

sched:::on-cpu
/WANTED && self->cpu && self->cpu != cpu + 1/
{
	@count[execname, self->cpu - 1, cpu] = count();
}

/* One more than its number, so that 0 means not known. */
sched:::on-cpu
/WANTED/
{
	self->cpu = cpu + 1;
}

END
{
	printf("%-15s %4s %4s %8s\n", "COMM", "FROM", "TO", "COUNT");
	printa("%-15s %4d %4d %@8d\n", @count);
}
