#!/usr/sbin/dtrace -s
/*
 * irqtime.d: which devices interrupt, how often, and how much CPU time does that take?
 *
 * Usage: irqtime.d
 *
 * Columns:
 *	IRQ	number of the interrupt
 *	DEVICE	name of its handler, as /proc/interrupts has it
 *	COUNT	interrupts
 *	TOTAL_us	microseconds in the handler
 *	AVG_ns	nanoseconds on average
 *	MAX_ns	nanoseconds of the longest
 */

#pragma D option quiet
#pragma D option aggsortpos=1

uint64_t since[int];

sdt:irq::irq_handler_entry
{
	since[cpu] = timestamp;
	name[cpu] = stringof(args[1]->name);
}

sdt:irq::irq_handler_exit
/since[cpu]/
{
	this->ns = timestamp - since[cpu];
	since[cpu] = 0;
	@count[args[0], name[cpu]] = count();
	@total[args[0], name[cpu]] = sum(this->ns);
	@avg[args[0], name[cpu]] = avg(this->ns);
	@max[args[0], name[cpu]] = max(this->ns);
}

END
{
	normalize(@total, 1000);
	printf("%5s %-24s %10s %12s %10s %10s\n", "IRQ", "DEVICE", "COUNT", "TOTAL_us", "AVG_ns", "MAX_ns");
	printa("%5d %-24s %@10d %@12d %@10d %@10d\n", @count, @total, @avg, @max);
}
