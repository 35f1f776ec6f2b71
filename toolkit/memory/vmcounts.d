#!/usr/sbin/dtrace -s
/*
 * vmcounts.d: what does the memory of the system have to do: faults, paging, reclaim?
 *
 * Usage: vmcounts.d [seconds]
 *
 * A report every 5 seconds, or as told, of the counters of the provider vminfo that changed. as_fault: first touch of a
 * page; cow_fault: write to a page that was shared; pgin, pgout: requests to disks; pgpgin, pgpgout: their pages of 4 KiB;
 * scan, pgrrun, dfree, fsfree, anonfree: memory runs short.
 *
 * Columns:
 *	COUNTER	name of the counter: the probe's name
 *	COMM	command that was running
 *	COUNT	by how much it grew
 */

#pragma D option quiet
#pragma D option defaultargs

inline int SECONDS = $1 ? $1 : 5;

BEGIN
{
	left = SECONDS;
}

vminfo:::
{
	@count[probename, execname] = sum(arg0);
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%-12s %-15s %12s\n", walltimestamp, "COUNTER", "COMM", "COUNT");
	printa("%-12s %-15s %@12d\n", @count);
	trunc(@count);
	left = SECONDS;
}
