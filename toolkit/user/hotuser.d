#!/usr/sbin/dtrace -s
/*
 * hotuser.d: which functions of programs and libraries use the CPUs?
 *
 * Usage: hotuser.d [-p PID | -c COMMAND] [lines]
 *
 * Samples every CPU 997 times a second; counts samples in user mode, by function. With -p or -c: only that process and its
 * descendants. The 30 hottest, the hottest last. ustackprof.d has their callers.
 *
 * Columns:
 *	COMM	command
 *	FUNCTION	module`function, or the address where the module has no symbol
 *	SAMPLES	samples; about a millisecond of CPU time each
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

profile-997
/arg1 && WANTED/
{
	@samples[execname, ufunc(arg1)] = count();
}

END
{
	trunc(@samples, $1 ? $1 : 30);
	printf("%-15s %-50s %8s\n", "COMM", "FUNCTION", "SAMPLES");
	printa("%-15s %-50A %@8d\n", @samples);
}
