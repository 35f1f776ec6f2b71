#!/usr/sbin/dtrace -s
/*
 * runqlat.d: how long do threads that could run wait for a CPU?
 *
 * Usage: runqlat.d [-p PID | -c COMMAND]
 *
 * Much time in the upper rows means too few CPUs for what wants to run. With -p or -c: only threads of that process and its
 * descendants, by command.
 *
 * As a heat map, a column a second: dtrace -O heatmap -o FILE.svg -s runqlat.d, with the same arguments.
 *
 * Output: the distribution of waits in microseconds, for each command with -p or -c, else for each CPU; and their sum, in
 * microseconds.
 */

#pragma D option quiet
#pragma D option dynvarsize=4m

BEGIN
{
	printf("Tracing the run queues. End with Ctrl-C.\n");
}

sched:::enqueue
{
	queued[args[0]->pr_addr] = timestamp;
}

sched:::dequeue
/queued[args[0]->pr_addr] && $target == 0/
{
	@cpu[args[2]->cpu_id] = quantize((timestamp - queued[args[0]->pr_addr]) / 1000);
	@all = sum((timestamp - queued[args[0]->pr_addr]) / 1000);
}

sched:::on-cpu
/$target != 0 && queued[curlwpsinfo->pr_addr] && progenyof($target)/
{
	@command[execname] = quantize((timestamp - queued[curlwpsinfo->pr_addr]) / 1000);
	@all = sum((timestamp - queued[curlwpsinfo->pr_addr]) / 1000);
}

sched:::on-cpu
{
	queued[curlwpsinfo->pr_addr] = 0;
}

END
{
	printa("CPU %d, us:%@d\n", @cpu);
	printa("%s, us:%@d\n", @command);
	printa("all together, us: %@d\n", @all);
}
