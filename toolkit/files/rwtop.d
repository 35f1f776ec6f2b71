#!/usr/sbin/dtrace -s
/*
 * rwtop.d: which processes read and write most now?
 *
 * Usage: rwtop.d [-p PID | -c COMMAND] [seconds]
 *
 * A report every 5 seconds, or as told; who moves most is last. Counts what programs ask for in system calls, wherever it
 * comes from and goes to: files, pipes, sockets, terminals (not io_uring and sendfile). With -p or -c: only that process
 * and its descendants.
 *
 * Columns:
 *	UID	real user
 *	PID	process
 *	COMM	its command
 *	D	R: read, W: write
 *	CALLS	calls that moved something
 *	BYTES	bytes that they moved
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

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::recvfrom:return, syscall::recvmsg:return
/WANTED && arg1 > 0/
{
	@calls[uid, pid, execname, "R"] = count();
	@bytes[uid, pid, execname, "R"] = sum(arg1);
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return,
syscall::sendto:return, syscall::sendmsg:return
/WANTED && arg1 > 0/
{
	@calls[uid, pid, execname, "W"] = count();
	@bytes[uid, pid, execname, "W"] = sum(arg1);
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%6s %7s %-15s %1s %10s %14s\n", walltimestamp, "UID", "PID", "COMM", "D", "CALLS", "BYTES");
	printa("%6d %7d %-15s %1s %@10d %@14d\n", @calls, @bytes);
	trunc(@calls);
	trunc(@bytes);
	left = SECONDS;
}
