#!/usr/sbin/dtrace -s
/*
 * lookups.d: which host names does a process look up, and how long does it wait for each?
 *
 * Usage: lookups.d -p PID | -c COMMAND
 *
 * Sees getaddrinfo(3) and gethostbyname(3) of the C library in that process. offcpu.d shows what it waits for meanwhile.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when the answer came
 *	TID	thread
 *	LAT_us	microseconds that it took
 *	RESULT	of getaddrinfo: 0, or an error (EAI_*); of gethostbyname: 0, or -1 if there is no answer
 *	HOST	name
 */

#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %10s %6s %s\n", "TIME_ms", "TID", "LAT_us", "RESULT", "HOST");
}

pid$target:libc:getaddrinfo:entry, pid$target:libc:gethostbyname:entry
/arg0/
{
	self->host = copyinstr(arg0);
	self->start = timestamp;
}

pid$target:libc:getaddrinfo:return, pid$target:libc:gethostbyname:return
/self->start/
{
	printf("%8d %7d %10d %6d %s\n", (timestamp - begin) / 1000000, tid, (timestamp - self->start) / 1000,
	    probefunc == "getaddrinfo" ? (int)arg1 : arg1 ? 0 : -1, self->host);
	self->start = 0;
	self->host = 0;
}
