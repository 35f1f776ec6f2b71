#!/usr/sbin/dtrace -s
/*
 * mallocsize.d: how large are the pieces of memory that a program asks for, and where does it ask?
 *
 * Usage: mallocsize.d -p PID | -c COMMAND
 *
 * Sees malloc(3), calloc(3) and realloc(3) of the C library in that process.
 *
 * Output: the distribution of sizes in bytes; then the callers, those that ask for most last, in columns.
 *
 * Columns:
 *	CALLER	function that asks
 *	CALLS	how often
 *	BYTES	bytes in all
 */

#pragma D option quiet
#pragma D option aggsortpos=1

pid$target:libc:malloc:entry
{
	this->size = arg0;
}

pid$target:libc:calloc:entry
{
	this->size = arg0 * arg1;
}

pid$target:libc:realloc:entry
{
	this->size = arg1;
}

pid$target:libc:malloc:entry, pid$target:libc:calloc:entry, pid$target:libc:realloc:entry
{
	@size["bytes"] = quantize(this->size);
	@calls[ufunc(ucaller)] = count();
	@bytes[ufunc(ucaller)] = sum(this->size);
}

END
{
	printa("%s:%@d\n", @size);
	printf("%-50s %10s %14s\n", "CALLER", "CALLS", "BYTES");
	printa("%-50A %@10d %@14d\n", @calls, @bytes);
}
