#!/usr/sbin/dtrace -s
/*
 * cxxthrows.d: where does a C++ program throw exceptions, and how often?
 *
 * Usage: cxxthrows.d -p PID | -c COMMAND
 *
 * An exception costs microseconds, each frame on its way a few. Sees the C++ library of GCC where it is a shared library
 * (libstdc++.so). The 20 most frequent places, the most frequent last.
 *
 * Output: what was done (throw, rethrow, catch), the stack of the program, and how often.
 */

#pragma D option quiet
#pragma D option zdefs

BEGIN
{
	printf("Tracing exceptions. End with Ctrl-C.\n");
}

libstdcxx$target:::throw, libstdcxx$target:::rethrow, libstdcxx$target:::catch
{
	@count[probename, ustack()] = count();
}

END
{
	trunc(@count, 20);
	printa("%s%k%@16d times\n", @count);
}
