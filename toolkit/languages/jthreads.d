#!/usr/sbin/dtrace -s
/*
 * jthreads.d: which threads does a Java program start, and how long do they live?
 *
 * Usage: jthreads.d -p PID | -c COMMAND
 *
 * Needs a JDK with probes (OpenJDK of distributions).
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	WHAT	start or stop
 *	TID	thread of the system, as top -H shows it
 *	LIFE_ms	milliseconds since its start, 0 if that was before tracing
 *	NAME	name that the program gave it
 */

#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

uint64_t since[uint64_t];

BEGIN
{
	begin = timestamp;
	printf("%8s %-5s %7s %10s %s\n", "TIME_ms", "WHAT", "TID", "LIFE_ms", "NAME");
}

hotspot$target:::thread-start
{
	since[arg2] = timestamp;
}

/* Names come with their length, and without an end. */
hotspot$target:::thread-start, hotspot$target:::thread-stop
{
	this->name = (char *)copyin(arg0, arg1 + 1);
	this->name[arg1] = '\0';
	printf("%8d %-5s %7d %10d %s\n", (timestamp - begin) / 1000000, probename == "thread-start" ? "start" : "stop", arg3,
	    since[arg2] ? (timestamp - since[arg2]) / 1000000 : 0, stringof(this->name));
}

hotspot$target:::thread-stop
{
	since[arg2] = 0;
}
