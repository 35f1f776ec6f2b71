#!/usr/sbin/dtrace -s
/*
 * funccount.d: which of a set of functions does a program call, and how often?
 *
 * Usage: funccount.d -p PID | -c COMMAND module function
 *
 * Both may be patterns, in quotes: a.out 'parse_*', libc '*printf', 'lib*' 'EVP_*'. a.out is the program itself.
 *
 * Columns:
 *	MODULE	program or library
 *	FUNCTION	function
 *	COUNT	calls
 */

#pragma D option quiet

pid$target:$1:$2:entry
{
	@count[probemod, probefunc] = count();
}

END
{
	printf("%-28s %-40s %10s\n", "MODULE", "FUNCTION", "COUNT");
	printa("%-28s %-40s %@10d\n", @count);
}
