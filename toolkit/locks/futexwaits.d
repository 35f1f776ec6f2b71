#!/usr/sbin/dtrace -s
/*
 * futexwaits.d: where do threads of programs wait for each other (mutexes, conditions, joins)?
 *
 * Usage: futexwaits.d [-p PID | -c COMMAND]
 *
 * All locks of the C library, of Go, Rust and Java end in futex(2) when they must wait. With -p or -c: only that process
 * and its descendants. The 20 places with most time, the most last.
 *
 * Output: command, the stack of the program, and the distribution of waits there, in microseconds; then their sums in
 * microseconds by command.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline int FUTEX_WAIT = 0;
inline int FUTEX_LOCK_PI = 6;
inline int FUTEX_WAIT_BITSET = 9;

BEGIN
{
	printf("Tracing waits for futexes. End with Ctrl-C.\n");
}

syscall::futex:entry
/WANTED && ((arg1 & 0x7f) == FUTEX_WAIT || (arg1 & 0x7f) == FUTEX_WAIT_BITSET || (arg1 & 0x7f) == FUTEX_LOCK_PI)/
{
	self->since = timestamp;
}

syscall::futex:return
/self->since/
{
	this->us = (timestamp - self->since) / 1000;
	self->since = 0;
	@us[execname, ustack()] = quantize(this->us);
	@total[execname] = sum(this->us);
}

END
{
	trunc(@us, 20);
	printa("%s%k              us:%@d\n", @us);
	printa("%s waited %@d us\n", @total);
}
