#!/usr/sbin/dtrace -s
/*
 * filetop.d: which files are read and written most now?
 *
 * Usage: filetop.d [-p PID | -c COMMAND] [seconds]
 *
 * A report every 5 seconds, or as told; the file with most bytes is last. Counts what programs ask for in read(2), write(2)
 * and their like, not what is mapped into memory. With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	COMM	command
 *	D	R: read, W: write
 *	PATH	file; pipes and sockets are left out
 *	CALLS	calls
 *	BYTES	bytes really read or written
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline int SECONDS = $1 ? $1 : 5;

BEGIN
{
	left = SECONDS;
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry
/WANTED/
{
	self->fd = arg0 + 1;
}

syscall::*read*:return, syscall::*write*:return
/self->fd && arg1 >= 0 && fds[self->fd - 1].fi_pathname != "<unknown>"/
{
	this->path = fds[self->fd - 1].fi_pathname;
	this->way = strstr(probefunc, "read") != NULL ? "R" : "W";
	@calls[execname, this->way, this->path] = count();
	@bytes[execname, this->way, this->path] = sum(arg1);
}

syscall::*read*:return, syscall::*write*:return
{
	self->fd = 0;
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%-15s %1s %-50s %8s %12s\n", walltimestamp, "COMM", "D", "PATH", "CALLS", "BYTES");
	printa("%-15s %1s %-50s %@8d %@12d\n", @calls, @bytes);
	trunc(@calls);
	trunc(@bytes);
	left = SECONDS;
}
