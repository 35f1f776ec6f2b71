#!/usr/sbin/dtrace -s
/*
 * rwsnoop.d: what is read and written, call by call, and where?
 *
 * Usage: rwsnoop.d [-p PID | -c COMMAND] [file name]
 *
 * Calls that fail are left out (errinfo.d shows them), and so is io_uring. With a file name (the last part of the path):
 * only that file. With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	PID	process
 *	COMM	its command
 *	D	R: read, W: write
 *	BYTES	bytes really read or written
 *	PATH	file; for what has none (pipes, sockets) the kind
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %1s %10s %s\n", "TIME_ms", "PID", "COMM", "D", "BYTES", "PATH");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry
/WANTED && ($$1 == "" || fds[arg0].fi_name == $$1)/
{
	self->fd = arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return
/self->fd && arg1 >= 0/
{
	this->way = "R";
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return
/self->fd && arg1 >= 0/
{
	this->way = "W";
}

syscall::*read*:return, syscall::*write*:return
/self->fd && arg1 >= 0 && this->way != ""/
{
	this->path = fds[self->fd - 1].fi_pathname;
	printf("%8d %7d %-15s %1s %10d %s\n", (timestamp - begin) / 1000000, pid, execname, this->way, arg1,
	    this->path == "<unknown>" ? fds[self->fd - 1].fi_fs : this->path);
	this->way = "";
}

syscall::*read*:return, syscall::*write*:return
{
	self->fd = 0;
}
