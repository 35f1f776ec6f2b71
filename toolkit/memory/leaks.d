#!/usr/sbin/dtrace -s
/*
 * leaks.d: which callers allocate memory that is not freed?
 *
 * Usage: leaks.d -p PID | -c COMMAND
 *
 * Follows each piece from malloc(3), calloc(3) or realloc(3) of the C library to free(3). What is left when this ends is in
 * use, or lost: watch which grows. Memory from before tracing began is not counted.
 *
 * Columns:
 *	CALLER	function that asked for the memory
 *	PIECES	pieces asked for and not freed
 *	BYTES	bytes of them
 */

#pragma D option quiet
#pragma D option aggsortpos=1
#pragma D option dynvarsize=16m

uint64_t size[uintptr_t];
uintptr_t site[uintptr_t];

pid$target:libc:malloc:entry
{
	self->asked = arg0;
	self->site = ucaller;
}

pid$target:libc:calloc:entry
{
	self->asked = arg0 * arg1;
	self->site = ucaller;
}

pid$target:libc:realloc:entry
{
	self->asked = arg1;
	self->site = ucaller;
	self->old = arg0;
}

pid$target:libc:free:entry
/size[arg0]/
{
	@pieces[ufunc(site[arg0])] = sum(-1);
	@bytes[ufunc(site[arg0])] = sum(-size[arg0]);
	size[arg0] = 0;
	site[arg0] = 0;
}

pid$target:libc:realloc:return
/self->old && arg1 && size[self->old]/
{
	@pieces[ufunc(site[self->old])] = sum(-1);
	@bytes[ufunc(site[self->old])] = sum(-size[self->old]);
	size[self->old] = 0;
	site[self->old] = 0;
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
/self->asked && arg1/
{
	size[arg1] = self->asked;
	site[arg1] = self->site;
	@pieces[ufunc(self->site)] = sum(1);
	@bytes[ufunc(self->site)] = sum(self->asked);
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return
{
	self->asked = 0;
	self->site = 0;
	self->old = 0;
}

END
{
	printf("%-50s %10s %14s\n", "CALLER", "PIECES", "BYTES");
	printa("%-50A %@10d %@14d\n", @pieces, @bytes);
}
