#!/usr/sbin/dtrace -s
/*
 * crosscalls.d: who makes the CPUs interrupt each other, and why?
 *
 * Usage: crosscalls.d [-p PID | -c COMMAND]
 *
 * Memory that is unmapped in a program with several threads, and code of the kernel that changes, must be told to all
 * CPUs, which interrupts them. With -p or -c: only what that process and its descendants cause. The 20 most frequent,
 * the most frequent last.
 *
 * Output: command, the stack of the kernel, and how many calls to other CPUs were made there.
 */

#pragma D option quiet

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing calls between CPUs. End with Ctrl-C.\n");
}

sysinfo:::xcalls
/WANTED/
{
	@count[execname, stack()] = sum(arg0);
}

END
{
	trunc(@count, 20);
	printa("%s%k%@16d calls\n", @count);
}
