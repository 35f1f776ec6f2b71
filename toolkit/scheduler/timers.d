#!/usr/sbin/dtrace -s
/*
 * timers.d: which timers of the kernel go off, how often, and how long do they take?
 *
 * Usage: timers.d
 *
 * They wake idle CPUs, and delay what they interrupt. Both kinds: timers of the clock's ticks and high-resolution ones.
 *
 * Columns:
 *	FUNCTION	function that the timer runs
 *	COUNT	how often
 *	TOTAL_us	microseconds in it
 *	MAX_ns	nanoseconds of the longest
 */

#pragma D option quiet
#pragma D option aggsortpos=1

uint64_t since[int];
uintptr_t what[int];

sdt:timer::timer_expire_entry
{
	since[cpu] = timestamp;
	what[cpu] = (uintptr_t)args[0]->function;
}

sdt:timer::hrtimer_expire_entry
{
	since[cpu] = timestamp;
	what[cpu] = (uintptr_t)args[0]->function;
}

sdt:timer::timer_expire_exit, sdt:timer::hrtimer_expire_exit
/since[cpu]/
{
	this->ns = timestamp - since[cpu];
	since[cpu] = 0;
	@count[func(what[cpu])] = count();
	@total[func(what[cpu])] = sum(this->ns);
	@max[func(what[cpu])] = max(this->ns);
}

END
{
	normalize(@total, 1000);
	printf("%-44s %10s %12s %10s\n", "FUNCTION", "COUNT", "TOTAL_us", "MAX_ns");
	printa("%-44a %@10d %@12d %@10d\n", @count, @total, @max);
}
