#!/usr/sbin/dtrace -s
/*
 * softirqs.d: how much CPU time goes into what interrupts leave for later (network, timers, disks)?
 *
 * Usage: softirqs.d
 *
 * Columns:
 *	CPU	number
 *	SOFTIRQ	kind, as /proc/softirqs has it
 *	COUNT	how often
 *	TOTAL_us	microseconds of CPU time
 *	MAX_us	microseconds of the longest
 */

#pragma D option quiet
#pragma D option aggsortpos=1

uint64_t since[int];
string kind[unsigned int];

BEGIN
{
	kind[0] = "HI"; kind[1] = "TIMER"; kind[2] = "NET_TX"; kind[3] = "NET_RX"; kind[4] = "BLOCK"; kind[5] = "IRQ_POLL";
	kind[6] = "TASKLET"; kind[7] = "SCHED"; kind[8] = "HRTIMER"; kind[9] = "RCU";
}

sdt:irq::softirq_entry
{
	since[cpu] = timestamp;
}

sdt:irq::softirq_exit
/since[cpu]/
{
	this->ns = timestamp - since[cpu];
	since[cpu] = 0;
	@count[cpu, kind[args[0]]] = count();
	@total[cpu, kind[args[0]]] = sum(this->ns);
	@max[cpu, kind[args[0]]] = max(this->ns);
}

END
{
	normalize(@total, 1000);
	normalize(@max, 1000);
	printf("%4s %-10s %10s %12s %10s\n", "CPU", "SOFTIRQ", "COUNT", "TOTAL_us", "MAX_us");
	printa("%4d %-10s %@10d %@12d %@10d\n", @count, @total, @max);
}
