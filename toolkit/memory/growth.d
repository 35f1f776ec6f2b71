#!/usr/sbin/dtrace -s
/*
 * growth.d: where in a program is its address space enlarged, and by how much?
 *
 * Usage: growth.d [-p PID | -c COMMAND]
 *
 * The heap (brk(2)) and anonymous mappings (mmap(2)), less what is given back there. Memory that is promised is not yet
 * used (pagefaults.d shows that). With -p or -c: only that process and its descendants.
 *
 * Output: command, system call, the stack of the program, and by how many KiB that call there enlarged the address
 * space.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline int MAP_ANONYMOUS = 0x20;

BEGIN
{
	printf("Tracing address spaces. End with Ctrl-C.\n");
}

syscall::mmap:entry
/WANTED && (arg3 & MAP_ANONYMOUS)/
{
	self->size = arg1;
}

syscall::mmap:return
/self->size && errno == 0/
{
	@kib[execname, probefunc, ustack()] = sum(self->size / 1024);
}

syscall::mmap:return
{
	self->size = 0;
}

syscall::brk:entry
/WANTED/
{
	self->end = curthread->mm->brk;
}

syscall::brk:return
/self->end && arg1 != self->end/
{
	@kib[execname, probefunc, ustack()] = sum((int64_t)(arg1 - self->end) / 1024);
}

syscall::brk:return
{
	self->end = 0;
}

END
{
	printa("%s, %s%k%@16d KiB\n", @kib);
}
