#!/usr/sbin/dtrace -s
/*
 * pagefaults.d: which code makes memory grow by touching it for the first time?
 *
 * Usage: pagefaults.d [-p PID | -c COMMAND] [stacks]
 *
 * malloc(3) and mmap(2) only promise memory; it is given, and costs time, when a page is first touched. The 20 stacks with
 * most faults, or as told, the most last. With -p or -c: only that process and its descendants. x86 only.
 *
 * Output: command, the stack of the program, and how many pages were not there (4 KiB each, unless pages are huge).
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Tracing page faults. End with Ctrl-C.\n");
}

vminfo:::as_fault
/WANTED/
{
	@pages[execname, ustack(8)] = sum(arg0);
}

END
{
	trunc(@pages, $1 ? $1 : 20);
	printa("%s%k%@16d faults\n", @pages);
}
