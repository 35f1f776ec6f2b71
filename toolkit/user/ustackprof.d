#!/usr/sbin/dtrace -s
/*
 * ustackprof.d: what do programs do with the CPUs, and called from where?
 *
 * Usage: ustackprof.d [-p PID | -c COMMAND] [stacks]
 *
 * Samples every CPU 997 times a second; counts samples in user mode, by stack. The 20 most frequent, or as told, the most
 * frequent last. With -p or -c: only that process and its descendants. node wants --perf-basic-prof for names of its
 * functions, Java an agent that writes /tmp/perf-PID.map.
 *
 * As a flame graph of all stacks: dtrace -O flame -o FILE.svg -s ustackprof.d, with the same arguments.
 *
 * Output: command, the stack of the program, and samples; each about a millisecond of CPU time.
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Sampling programs. End with Ctrl-C.\n");
}

profile-997
/arg1 && WANTED/
{
	@samples[execname, ustack()] = count();
}

END
{
	trunc(@samples, $1 ? $1 : 20);
	printa("%s%k%@16d samples\n", @samples);
}
