#!/usr/sbin/dtrace -s
/*
 * lockwaits.d: which locks of the kernel are waited for, where, and how long?
 *
 * Usage: lockwaits.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only waits of that process and its descendants. The 20 places with most time, the most last. Needs
 * Linux 5.19.
 *
 * Output: command, kind of wait (adaptive: a mutex, rw: a reader/writer lock, spin: a spin lock; block: it slept), the
 * stack of the kernel, and microseconds waited there; before that the distribution of waits of each kind, in nanoseconds.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Tracing locks of the kernel. End with Ctrl-C.\n");
}

lockstat:::adaptive-block, lockstat:::adaptive-spin, lockstat:::spin-spin, lockstat:::rw-block, lockstat:::rw-spin
/WANTED/
{
	@ns[probename] = quantize(arg1);
	@us[execname, probename, stack()] = sum(arg1);
}

END
{
	trunc(@us, 20);
	normalize(@us, 1000);
	printa("%s, ns:%@d\n", @ns);
	printa("%s, %s%k%@16d us\n", @us);
}
