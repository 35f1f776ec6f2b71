#!/usr/sbin/dtrace -s
/*
 * flocksnoop.d: which files are locked, by whom, and how long did that take?
 *
 * Usage: flocksnoop.d [-p PID | -c COMMAND]
 *
 * flock(2), and fcntl(2) with F_SETLK, F_SETLKW and their kin for open files; lockf(3) is fcntl(2). With -p or -c: only
 * that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when it was got, or given back
 *	PID	process
 *	COMM	its command
 *	CALL	flock or fcntl
 *	WHAT	shared, exclusive or unlock
 *	WAIT_us	microseconds that the call took
 *	ERR	0, or why it failed (11: somebody has it, and it did not want to wait; 512: a signal came)
 *	PATH	file
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %-6s %-9s %10s %3s %s\n", "TIME_ms", "PID", "COMM", "CALL", "WHAT", "WAIT_us", "ERR", "PATH");
}

syscall::flock:entry
/WANTED/
{
	self->path = fds[arg0].fi_pathname;
	self->what = arg1 & 8 ? "unlock" : arg1 & 2 ? "exclusive" : "shared";
	self->start = timestamp;
}

/* F_SETLK, F_SETLKW, and 30 more for locks of open files. */
syscall::fcntl:entry
/WANTED && (arg1 == 6 || arg1 == 7 || arg1 == 37 || arg1 == 38)/
{
	this->lock = (struct flock *)copyin(arg2, sizeof (struct flock));
	self->path = fds[arg0].fi_pathname;
	self->what = this->lock->l_type == 0 ? "shared" : this->lock->l_type == 1 ? "exclusive" : "unlock";
	self->start = timestamp;
}

syscall::flock:return, syscall::fcntl:return
/self->start/
{
	printf("%8d %7d %-15s %-6s %-9s %10d %3d %s\n", (timestamp - begin) / 1000000, pid, execname, probefunc, self->what,
	    (timestamp - self->start) / 1000, errno, self->path);
	self->start = 0;
	self->path = 0;
	self->what = 0;
}
