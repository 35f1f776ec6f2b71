#!/usr/sbin/dtrace -s
/*
 * pycalls.d: which functions does a Python program call, and how often?
 *
 * Usage: pycalls.d -p PID | -c COMMAND
 *
 * Needs a Python that was built --with-dtrace, as those of Debian and Ubuntu are (/usr/bin/python3). Counts returns,
 * because Python 3.11 does not tell of all entries. The most frequent is last.
 *
 * Columns:
 *	FILE	file of the function, without folders
 *	FUNCTION	its name
 *	CALLS	how often it returned
 */

#pragma D option quiet

python$target:::function-return
{
	@calls[basename(copyinstr(arg0)), copyinstr(arg1)] = count();
}

END
{
	printf("%-36s %-36s %10s\n", "FILE", "FUNCTION", "CALLS");
	printa("%-36s %-36s %@10d\n", @calls);
}
