#!/usr/sbin/dtrace -s
/*
 * retvals.d: what does a function return, how often, and how long did it take to say so?
 *
 * Usage: retvals.d -p PID | -c COMMAND function
 *
 * For functions that return an int: a result that is rare and slow is often the error that nobody checks. The function
 * may be a pattern, in the program or in any of its libraries.
 *
 * Columns:
 *	FUNCTION	function
 *	RETURNS	what it returned, as an int
 *	COUNT	how often
 *	AVG_ns	nanoseconds from entry to return, on average
 *	MAX_ns	nanoseconds of the longest
 */

#pragma D option quiet

pid$target::$1:entry
{
	self->start[probefunc] = timestamp;
}

pid$target::$1:return
/self->start[probefunc]/
{
	this->ns = timestamp - self->start[probefunc];
	self->start[probefunc] = 0;
	@count[probefunc, (int)arg1] = count();
	@avg[probefunc, (int)arg1] = avg(this->ns);
	@max[probefunc, (int)arg1] = max(this->ns);
}

END
{
	printf("%-36s %12s %10s %12s %12s\n", "FUNCTION", "RETURNS", "COUNT", "AVG_ns", "MAX_ns");
	printa("%-36s %12d %@10d %@12d %@12d\n", @count, @avg, @max);
}
