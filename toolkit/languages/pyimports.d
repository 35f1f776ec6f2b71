#!/usr/sbin/dtrace -s
/*
 * pyimports.d: which modules does a Python program load, and which of them make it slow to start?
 *
 * Usage: pyimports.d -p PID | -c COMMAND
 *
 * Needs a Python that was built --with-dtrace (/usr/bin/python3 of Debian and Ubuntu). The time of a module contains
 * that of the modules that it loads in turn.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when it was loaded
 *	LOAD_us	microseconds that it took
 *	FOUND	1: found, 0: not
 *	MODULE	its name; deeper ones were loaded by the next that is less deep
 */

#pragma D option quiet
#pragma D option switchrate=10hz

self int depth;
self uint64_t start[int];

BEGIN
{
	begin = timestamp;
	printf("%8s %10s %5s %s\n", "TIME_ms", "LOAD_us", "FOUND", "MODULE");
}

python$target:::import-find-load-start
{
	self->depth++;
	self->start[self->depth] = timestamp;
}

python$target:::import-find-load-done
/self->depth && self->start[self->depth]/
{
	this->us = (timestamp - self->start[self->depth]) / 1000;
	self->start[self->depth] = 0;
	self->depth--;
	printf("%8d %10d %5d %*s%s\n", (timestamp - begin) / 1000000, this->us, arg1, self->depth * 2, "", copyinstr(arg0));
}
