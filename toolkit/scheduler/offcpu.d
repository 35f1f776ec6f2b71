#!/usr/sbin/dtrace -s
/*
 * offcpu.d: what do threads wait for, where in the program and in the kernel, and how long in all?
 *
 * Usage: offcpu.d [-p PID | -c COMMAND] [least microseconds [stacks]]
 *
 * The other half of a profile: time in which a thread was not running. Waits shorter than 1 microsecond, or as told, are
 * left out; the 20 stacks with most time are shown, the greatest last. With -p or -c: only that process and its
 * descendants. A thread that could have gone on (it lost its CPU) is marked.
 *
 * As a flame graph of all stacks: dtrace -O flame -o FILE.svg -s offcpu.d, with the same arguments.
 *
 * Output: command, why it stopped ("sleeps", "preempted"), the stack of the kernel, the stack of the program, and the
 * time waited there, in microseconds.
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid && pid != 0 : progenyof($target);
inline int LEAST = $1 ? $1 : 1;

BEGIN
{
	printf("Tracing what threads wait for. End with Ctrl-C.\n");
}

sched:::preempt
/WANTED/
{
	self->preempted = 1;
}

sched:::off-cpu
/WANTED/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since && timestamp - self->since >= LEAST * 1000/
{
	@us[execname, self->preempted ? "preempted" : "sleeps", stack(), ustack()] = sum((timestamp - self->since) / 1000);
}

sched:::on-cpu
/self->since/
{
	self->since = 0;
	self->preempted = 0;
}

END
{
	trunc(@us, $2 ? $2 : 20);
	printa("%s, %s%k%k%@16d us\n", @us);
}
