#!/usr/sbin/dtrace -s
/*
 * hotkernel.d: which functions of the kernel use the CPUs?
 *
 * Usage: hotkernel.d [-p PID | -c COMMAND] [lines]
 *
 * Samples every CPU that is not idle 997 times a second; counts samples in kernel mode, by function. With -p or -c: only
 * what is done for that process and its descendants. The 30 hottest, the hottest last. kstackprof.d has their callers.
 *
 * Columns:
 *	FUNCTION	module`function
 *	SAMPLES	samples; about a millisecond of CPU time each
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

profile-997
/arg0 && WANTED/
{
	@samples[func(arg0)] = count();
}

END
{
	trunc(@samples, $1 ? $1 : 30);
	printf("%-50s %8s\n", "FUNCTION", "SAMPLES");
	printa("%-50a %@8d\n", @samples);
}
