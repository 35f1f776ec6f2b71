#!/usr/sbin/dtrace -s
/*
 * jclasses.d: which classes does a Java program load, and when?
 *
 * Usage: jclasses.d -p PID | -c COMMAND
 *
 * Needs a JDK with probes (OpenJDK of distributions). With -c the first twentieth of a second is missing, in which the
 * machine's library is loaded. Classes that come and go again and again are made by the program.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	WHAT	loaded or unloaded
 *	CLASS	its name
 */

#pragma D option quiet
#pragma D option zdefs
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%8s %-8s %s\n", "TIME_ms", "WHAT", "CLASS");
}

/* Names come with their length, and without an end. */
hotspot$target:::class-loaded, hotspot$target:::class-unloaded
{
	this->name = (char *)copyin(arg0, arg1 + 1);
	this->name[arg1] = '\0';
	printf("%8d %-8s %s\n", (timestamp - begin) / 1000000, probename == "class-loaded" ? "loaded" : "unloaded",
	    stringof(this->name));
}
