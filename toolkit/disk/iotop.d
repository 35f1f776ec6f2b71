#!/usr/sbin/dtrace -s
/*
 * iotop.d: which processes keep the disks busy now?
 *
 * Usage: iotop.d [-p PID | -c COMMAND] [seconds]
 *
 * A report every 5 seconds, or as told; who moves most is last. What is written later is written by threads of
 * the kernel (kworker). With -p or -c: only what this process or a descendant makes.
 *
 * Columns:
 *	UID	real user
 *	PID	process that made the requests
 *	COMM	its command
 *	DEVICE	disk or partition
 *	D	R: read, W: write
 *	COUNT	requests
 *	BYTES	bytes of them
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int WANTED = $target == 0 || progenyof($target);
inline int SECONDS = $1 ? $1 : 5;

BEGIN
{
	left = SECONDS;
}

io:::start
/WANTED/
{
	@bytes[uid, pid, execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = sum(args[0]->b_bcount);
	@count[uid, pid, execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = count();
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%6s %7s %-15s %-9s %1s %8s %12s\n", walltimestamp, "UID", "PID", "COMM", "DEVICE", "D", "COUNT", "BYTES");
	printa("%6d %7d %-15s %-9s %1s %@8d %@12d\n", @count, @bytes);
	trunc(@bytes);
	trunc(@count);
	left = SECONDS;
}
