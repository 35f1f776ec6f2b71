#!/usr/sbin/dtrace -s
/*
 * iostacks.d: why does the kernel send requests to the disks?
 *
 * Usage: iostacks.d [-p PID | -c COMMAND] [device]
 *
 * Reading ahead, a page that is missing, the journal, fsync(2), memory that runs short: the stack tells. With a device:
 * only its requests. With -p or -c: only those that this process or a descendant makes. The 20 most frequent, the most
 * frequent last.
 *
 * As a flame graph of all stacks: dtrace -O flame -o FILE.svg -s iostacks.d, with the same arguments.
 *
 * Output: command, direction (R, W), the stack of the kernel, and how many requests were made there.
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing disk requests. End with Ctrl-C.\n");
}

io:::start
/WANTED && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	@count[execname, args[0]->b_flags & B_READ ? "R" : "W", stack()] = count();
}

END
{
	trunc(@count, 20);
	printa("%s, %s%k%@16d requests\n", @count);
}
