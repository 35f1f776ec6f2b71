#!/usr/sbin/dtrace -s
/*
 * procsystime.d: where does the time of a process's system calls go: on the CPU, or in waiting?
 *
 * Usage: procsystime.d [-p PID | -c COMMAND] [command name]
 *
 * With a command name (as ps(1) shows it): only processes of that name. With -p or -c: only that process and its
 * descendants. What takes most time is last. Calls that end the thread (exit) have no end and are not counted.
 *
 * Columns:
 *	SYSCALL	system call
 *	COUNT	calls
 *	ELAPSED_us	microseconds from entry to return, all calls together
 *	CPU_us	microseconds of them on a CPU
 *	OVERHEAD_us	the rest: microseconds that the calls waited, for what they do or for a CPU
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int WANTED = ($target == 0 ? pid != $pid : progenyof($target)) && ($$1 == "" || execname == $$1);

syscall:::entry
/WANTED/
{
	self->start = timestamp;
	self->cpu = vtimestamp;
}

syscall:::return
/self->start/
{
	this->elapsed = timestamp - self->start;
	this->cpu = vtimestamp - self->cpu;
	self->start = 0;
	@count[probefunc] = count();
	@elapsed[probefunc] = sum(this->elapsed);
	@cpu[probefunc] = sum(this->cpu);
	@rest[probefunc] = sum(this->elapsed - this->cpu);
	@n["TOTAL"] = count();
	@e["TOTAL"] = sum(this->elapsed);
	@c["TOTAL"] = sum(this->cpu);
	@r["TOTAL"] = sum(this->elapsed - this->cpu);
}

END
{
	normalize(@elapsed, 1000); normalize(@cpu, 1000); normalize(@rest, 1000);
	normalize(@e, 1000); normalize(@c, 1000); normalize(@r, 1000);
	printf("%-24s %9s %12s %12s %12s\n", "SYSCALL", "COUNT", "ELAPSED_us", "CPU_us", "OVERHEAD_us");
	printa("%-24s %@9d %@12d %@12d %@12d\n", @count, @elapsed, @cpu, @rest);
	printa("%-24s %@9d %@12d %@12d %@12d\n", @n, @e, @c, @r);
}
