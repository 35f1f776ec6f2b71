#!/usr/sbin/dtrace -s
/*
 * pollers.d: which programs wake up only to find that there is nothing to do?
 *
 * Usage: pollers.d [-p PID | -c COMMAND]
 *
 * Counts waits that end by their time-out: sleeps, and poll, select and epoll_wait that return 0. They cost power, and CPU
 * time when the time-out is short. With -p or -c: only that process and its descendants. The 20 most frequent, the most
 * frequent last.
 *
 * Output: command, system call, the stack of the program, and how many waits ended in vain there; before that the
 * distribution of their times for each command and call, in microseconds.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Tracing time-outs. End with Ctrl-C.\n");
}

syscall::nanosleep:entry, syscall::clock_nanosleep:entry, syscall::poll:entry, syscall::ppoll:entry,
syscall::select:entry, syscall::pselect6:entry, syscall::epoll_wait:entry, syscall::epoll_pwait:entry,
syscall::epoll_pwait2:entry
/WANTED/
{
	self->since = timestamp;
}

syscall::nanosleep:return, syscall::clock_nanosleep:return, syscall::poll:return, syscall::ppoll:return,
syscall::select:return, syscall::pselect6:return, syscall::epoll_wait:return, syscall::epoll_pwait:return,
syscall::epoll_pwait2:return
/self->since && arg1 == 0/
{
	@us[execname, probefunc] = quantize((timestamp - self->since) / 1000);
	@vain[execname, probefunc, ustack()] = count();
}

syscall::nanosleep:return, syscall::clock_nanosleep:return, syscall::poll:return, syscall::ppoll:return,
syscall::select:return, syscall::pselect6:return, syscall::epoll_wait:return, syscall::epoll_pwait:return,
syscall::epoll_pwait2:return
{
	self->since = 0;
}

END
{
	trunc(@vain, 20);
	printa("%s, %s, us:%@d\n", @us);
	printa("%s, %s%k%@16d times\n", @vain);
}
