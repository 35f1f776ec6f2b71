#!/usr/sbin/dtrace -s
/*
 * whocalls.d: who calls a function, by which way, and how often?
 *
 * Usage: whocalls.d -p PID | -c COMMAND function
 *
 * The function may be a pattern, in the program or in any of its libraries. The 20 most frequent ways, the most frequent
 * last.
 *
 * Output: the stack of the program at the entry of the function, and how often it was entered so.
 */

#pragma D option quiet

BEGIN
{
	printf("Tracing %s. End with Ctrl-C.\n", $$1);
}

pid$target::$1:entry
{
	@count[ustack()] = count();
}

END
{
	trunc(@count, 20);
	printa("%k%@16d calls\n", @count);
}
