#!/usr/sbin/dtrace -s
/*
 * cpubusy.d: which commands run on which CPU, and for how long?
 *
 * Usage: cpubusy.d [seconds]
 *
 * A report every 5 seconds, or as told. swapper is the idle thread: its time is what the CPU has left. Measured at each
 * switch, not sampled: what runs without being switched away from is counted when it is.
 *
 * Columns:
 *	CPU	number
 *	COMM	command
 *	TIMES	times that it got the CPU
 *	RAN_us	microseconds that it had it
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortkey

inline int SECONDS = $1 ? $1 : 5;
/* The idle threads of all CPUs under one name. */
inline string COMM = pid == 0 ? "swapper" : execname;

uint64_t since[int];

BEGIN
{
	left = SECONDS;
}

sched:::off-cpu
/since[cpu]/
{
	@times[cpu, COMM] = count();
	@us[cpu, COMM] = sum((timestamp - since[cpu]) / 1000);
}

sched:::off-cpu
{
	since[cpu] = timestamp;
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%4s %-15s %10s %12s\n", walltimestamp, "CPU", "COMM", "TIMES", "RAN_us");
	printa("%4d %-15s %@10d %@12d\n", @times, @us);
	trunc(@times);
	trunc(@us);
	left = SECONDS;
}
