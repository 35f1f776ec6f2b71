#!/usr/sbin/dtrace -s
/*
 * kstackprof.d: what does the kernel do with the CPUs, and called from where?
 *
 * Usage: kstackprof.d [-p PID | -c COMMAND] [stacks]
 *
 * Samples every CPU that is not idle 997 times a second; counts samples in kernel mode, by stack. The 20 most frequent, or
 * as told, the most frequent last. With -p or -c: only what is done for that process and its descendants.
 *
 * As a flame graph of all stacks: dtrace -O flame -o FILE.svg -s kstackprof.d, with the same arguments.
 *
 * Output: command, the stack of the kernel, and samples; each about a millisecond of CPU time.
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Sampling the kernel. End with Ctrl-C.\n");
}

profile-997
/arg0 && WANTED/
{
	@samples[execname, stack()] = count();
}

END
{
	trunc(@samples, $1 ? $1 : 20);
	printa("%s%k%@16d samples\n", @samples);
}
