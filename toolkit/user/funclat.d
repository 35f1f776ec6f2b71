#!/usr/sbin/dtrace -s
/*
 * funclat.d: how long does a function of a program take, and is it the function, waiting, or interrupts?
 *
 * Usage: funclat.d -p PID | -c COMMAND function
 *
 * The function may be a pattern, in the program or in any of its libraries. If the time on the CPU is longer in the rows
 * with more interrupts, they are what stretches it. Calls of it inside itself belong to the outermost.
 *
 * Output: for each function the distribution of the time from entry to return, in nanoseconds; then, for each number of
 * interrupts that came meanwhile, the distribution of the time on a CPU, in nanoseconds; and how many interrupts of
 * which kind there were.
 */

#pragma D option quiet

self int depth;

BEGIN
{
	printf("Tracing %s. End with Ctrl-C.\n", $$1);
}

pid$target::$1:entry
/self->depth == 0/
{
	self->s = timestamp;
	self->vs = vtimestamp;
	self->i = 0;
}

pid$target::$1:entry
{
	self->depth++;
}

/* The clock of the scheduler, and devices: both come in the thread that they interrupt. */
sched:::tick, sdt:::interrupt-start
/self->depth/
{
	self->i++;
	@kind[probename == "tick" ? "clock" : "device"] = count();
}

pid$target::$1:return
/self->depth/
{
	self->depth--;
}

pid$target::$1:return
/self->s && self->depth == 0/
{
	@elapsed[probefunc] = quantize(timestamp - self->s);
	@cpu[self->i] = quantize(vtimestamp - self->vs);
	self->s = 0;
	self->vs = 0;
	self->i = 0;
}

END
{
	printa("%s, from entry to return, ns:%@d\n", @elapsed);
	printa("on a CPU, with %d interrupts, ns:%@d\n", @cpu);
	printa("%s interrupts: %@d\n", @kind);
}
