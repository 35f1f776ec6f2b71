#!/usr/sbin/dtrace -s
/*
 * oncpu.d: how long do threads run when they have got a CPU?
 *
 * Usage: oncpu.d [-p PID | -c COMMAND]
 *
 * Very short times: much switching, for little. Long ones: others wait. With -p or -c: only that process and its
 * descendants.
 *
 * Output: for each command the distribution of the time from getting a CPU to leaving it, in microseconds.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid && pid != 0 : progenyof($target);

BEGIN
{
	printf("Tracing time on the CPUs. End with Ctrl-C.\n");
}

sched:::on-cpu
/WANTED/
{
	self->since = timestamp;
}

sched:::off-cpu
/self->since/
{
	@us[execname] = quantize((timestamp - self->since) / 1000);
	self->since = 0;
}

END
{
	printa("%s, us:%@d\n", @us);
}
