#!/usr/sbin/dtrace -s
/*
 * iowait.d: which threads wait for the disks, where, and how long?
 *
 * Usage: iowait.d [-p PID | -c COMMAND]
 *
 * Latency of requests (iolatency.d) hurts only who waits for them: this is who. With -p or -c: only that process and its
 * descendants.
 *
 * Output: command, the stack of the program where it waited, and the distribution of waits there, in microseconds; at the
 * end the time that each command waited in all, in microseconds.
 */

#pragma D option quiet

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing waits for disks. End with Ctrl-C.\n");
}

io:::wait-start
/WANTED/
{
	self->since = timestamp;
}

io:::wait-done
/self->since/
{
	this->us = (timestamp - self->since) / 1000;
	self->since = 0;
	@us[execname, ustack()] = quantize(this->us);
	@total[execname] = sum(this->us);
}

END
{
	printa("%s%k              us:%@d\n", @us);
	printa("%s waited %@d us\n", @total);
}
