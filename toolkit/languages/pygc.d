#!/usr/sbin/dtrace -s
/*
 * pygc.d: how often does Python collect garbage, how long does that stop the program, and is there any?
 *
 * Usage: pygc.d -p PID | -c COMMAND
 *
 * Needs a Python that was built --with-dtrace (/usr/bin/python3 of Debian and Ubuntu).
 *
 * Columns:
 *	GEN	generation: 0 the young, 2 all objects
 *	COUNT	collections
 *	TOTAL_us	microseconds in all
 *	MAX_us	microseconds of the longest
 *	FOUND	objects that were garbage
 */

#pragma D option quiet
#pragma D option aggsortkey

python$target:::gc-start
{
	self->start = timestamp;
	self->generation = arg0;
}

python$target:::gc-done
/self->start/
{
	this->us = (timestamp - self->start) / 1000;
	self->start = 0;
	@count[self->generation] = count();
	@total[self->generation] = sum(this->us);
	@max[self->generation] = max(this->us);
	@found[self->generation] = sum(arg0);
}

END
{
	printf("%4s %10s %12s %10s %12s\n", "GEN", "COUNT", "TOTAL_us", "MAX_us", "FOUND");
	printa("%4d %@10d %@12d %@10d %@12d\n", @count, @total, @max, @found);
}
