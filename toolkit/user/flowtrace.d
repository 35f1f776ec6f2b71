#!/usr/sbin/dtrace -s
/*
 * flowtrace.d: what does a program do, step by step, in its own functions, the C library and the kernel?
 *
 * Usage: flowtrace.d -p PID | -c COMMAND [function]
 *
 * Begins when the thread enters the function (main, or as told; its name, not a pattern) and ends with it. Functions of
 * the program are cyan, of the C library (memory, strings, files, time) green, system calls yellow, what the kernel does
 * red. Each step costs up to a microsecond, which the times contain; in large programs all functions take some time to
 * be probed.
 *
 * Columns:
 *	TID	thread
 *	TIME_ns	nanoseconds since the function was entered
 *	DELTA_ns	nanoseconds since the step before
 *	STEP	->: entry, <-: return with its value, **: an event of the kernel
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz
#pragma D option bufsize=16m

inline string CYAN = "\033[36m";
inline string GREEN = "\033[32m";
inline string YELLOW = "\033[33m";
inline string RED = "\033[31m";
inline string PLAIN = "\033[0m";
inline string FIRST = $$1 == "" ? "main" : $$1;

self int in;
self int depth;
self uint64_t begin;
self uint64_t last;

BEGIN
{
	printf("%7s %10s %10s %s\n", "TID", "TIME_ns", "DELTA_ns", "STEP");
}

pid$target:a.out::entry
/!self->in && probefunc == FIRST/
{
	self->in = 1;
	self->begin = timestamp;
	self->last = timestamp;
	self->depth = 0;
}

pid$target:a.out::entry
/self->in/
{
	printf("%7d %10d %10d %*s%s-> %s(0x%x, 0x%x, 0x%x)%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", CYAN, probefunc, arg0, arg1, arg2, PLAIN);
	self->last = timestamp;
	self->depth++;
}

pid$target:a.out::return
/self->in/
{
	self->depth--;
	printf("%7d %10d %10d %*s%s<- %s = 0x%x%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", CYAN, probefunc, arg1, PLAIN);
	self->last = timestamp;
}

pid$target:a.out::return
/self->in && self->depth <= 0/
{
	self->in = 0;
	self->depth = 0;
	self->last = 0;
}

pid$target:libc:malloc:entry, pid$target:libc:calloc:entry, pid$target:libc:realloc:entry, pid$target:libc:free:entry,
pid$target:libc:fopen:entry, pid$target:libc:fclose:entry, pid$target:libc:fread:entry, pid$target:libc:fwrite:entry,
pid$target:libc:fgets:entry, pid$target:libc:fputs:entry, pid$target:libc:puts:entry, pid$target:libc:fflush:entry,
pid$target:libc:printf:entry, pid$target:libc:fprintf:entry, pid$target:libc:snprintf:entry, pid$target:libc:qsort:entry,
pid$target:libc:open:entry, pid$target:libc:close:entry, pid$target:libc:read:entry, pid$target:libc:write:entry,
pid$target:libc:nanosleep:entry, pid$target:libc:poll:entry, pid$target:libc:getppid:entry,
pid$target:libc:getaddrinfo:entry, pid$target:libc:pthread_create:entry, pid$target:libc:pthread_mutex_lock:entry,
pid$target:libc:pthread_mutex_unlock:entry
/self->in/
{
	printf("%7d %10d %10d %*s%s-> %s`%s(0x%x, 0x%x, 0x%x)%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", GREEN, probemod, probefunc, arg0, arg1, arg2, PLAIN);
	self->last = timestamp;
	self->depth++;
}

pid$target:libc:malloc:return, pid$target:libc:calloc:return, pid$target:libc:realloc:return, pid$target:libc:free:return,
pid$target:libc:fopen:return, pid$target:libc:fclose:return, pid$target:libc:fread:return, pid$target:libc:fwrite:return,
pid$target:libc:fgets:return, pid$target:libc:fputs:return, pid$target:libc:puts:return, pid$target:libc:fflush:return,
pid$target:libc:printf:return, pid$target:libc:fprintf:return, pid$target:libc:snprintf:return,
pid$target:libc:qsort:return, pid$target:libc:open:return, pid$target:libc:close:return, pid$target:libc:read:return,
pid$target:libc:write:return, pid$target:libc:nanosleep:return, pid$target:libc:poll:return,
pid$target:libc:getppid:return, pid$target:libc:getaddrinfo:return, pid$target:libc:pthread_create:return,
pid$target:libc:pthread_mutex_lock:return, pid$target:libc:pthread_mutex_unlock:return
/self->in/
{
	self->depth -= self->depth > 1 ? 1 : 0;
	printf("%7d %10d %10d %*s%s<- %s`%s = 0x%x%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", GREEN, probemod, probefunc, arg1, PLAIN);
	self->last = timestamp;
}

syscall:::entry
/self->in/
{
	printf("%7d %10d %10d %*s%s-> %s(0x%x, 0x%x, 0x%x)%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", YELLOW, probefunc, arg0, arg1, arg2, PLAIN);
	self->last = timestamp;
	self->depth++;
}

syscall:::return
/self->in/
{
	self->depth -= self->depth > 1 ? 1 : 0;
	printf("%7d %10d %10d %*s%s<- %s = %d, errno %d%s\n", tid, timestamp - self->begin, timestamp - self->last,
	    self->depth * 2, "", YELLOW, probefunc, arg1, errno, PLAIN);
	self->last = timestamp;
}

sched:::off-cpu, sched:::on-cpu, vminfo:::as_fault, vminfo:::cow_fault, io:::start, sdt:::interrupt-start, sched:::tick
/self->in/
{
	printf("%7d %10d %10d %*s%s** %s%s\n", tid, timestamp - self->begin, timestamp - self->last, self->depth * 2, "", RED,
	    probename, PLAIN);
	self->last = timestamp;
}
