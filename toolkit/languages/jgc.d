#!/usr/sbin/dtrace -s
/*
 * jgc.d: how often does a Java program stop to collect garbage, and for how long?
 *
 * Usage: jgc.d -p PID | -c COMMAND
 *
 * Needs a JDK with probes (OpenJDK of distributions). Collections that go on beside the program are counted as long as
 * they go on.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when it was over
 *	KIND	full, or minor
 *	PAUSE_us	microseconds from begin to end
 */

#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%8s %-6s %10s\n", "TIME_ms", "KIND", "PAUSE_us");
}

hotspot$target:::gc-begin
{
	start = timestamp;
	full = (int)(arg0 & 0xff);
}

hotspot$target:::gc-end
/start/
{
	printf("%8d %-6s %10d\n", (timestamp - begin) / 1000000, full ? "full" : "minor", (timestamp - start) / 1000);
	@pause["pauses, us"] = quantize((timestamp - start) / 1000);
	start = 0;
}
