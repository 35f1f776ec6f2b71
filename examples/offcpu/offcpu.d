#!/usr/sbin/dtrace -s
/*
 * offcpu.d: what a command waits for: milliseconds that its threads were not running, by user stack. The stacks that
 * waited longest come last.
 *
 *     dtrace -s offcpu.d -c 'getent hosts some.name.that.takes.long'
 */

#pragma D option quiet

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
	@ms[execname, ustack()] = sum((timestamp - self->since) / 1000000);
	self->since = 0;
}

END
{
	trunc(@ms, 10);
	printa(@ms);
}
