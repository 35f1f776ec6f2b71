#!/usr/sbin/dtrace -s
/*
 * calltime.d: in which of its functions does a program spend its time, with and without what those call?
 *
 * Usage: calltime.d -p PID | -c COMMAND
 *
 * The program's own functions; libraries and waiting belong to the function that calls. The function with most time of
 * its own is last. Each call costs about a microsecond more while this runs: for functions that are called very often,
 * sample with hotuser.d instead.
 *
 * Columns:
 *	FUNCTION	function of the program
 *	CALLS	how often it returned
 *	TOTAL_us	microseconds from entry to return, in all
 *	OWN_us	microseconds without what it called in the program
 */

#pragma D option quiet
#pragma D option aggsortpos=2

self int depth;
self uint64_t start[int];
self uint64_t inner[int];

pid$target:a.out::entry
{
	self->depth++;
	self->start[self->depth] = timestamp;
}

pid$target:a.out::return
/self->depth && self->start[self->depth]/
{
	this->total = timestamp - self->start[self->depth];
	this->own = this->total - self->inner[self->depth];
	self->start[self->depth] = 0;
	self->inner[self->depth] = 0;
	self->depth--;
	self->inner[self->depth] += this->total;
	@calls[probefunc] = count();
	@total[probefunc] = sum(this->total);
	@own[probefunc] = sum(this->own);
}

END
{
	normalize(@total, 1000);
	normalize(@own, 1000);
	printf("%-50s %10s %12s %12s\n", "FUNCTION", "CALLS", "TOTAL_us", "OWN_us");
	printa("%-50s %@10d %@12d %@12d\n", @calls, @total, @own);
}
