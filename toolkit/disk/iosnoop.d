#!/usr/sbin/dtrace -s
/*
 * iosnoop.d: which requests go to the disks, whose are they, and how long does each take?
 *
 * Usage: iosnoop.d [-p PID | -c COMMAND] [device]
 *
 * With a device (sda, nvme0n1p2, as /proc/diskstats has it): only its requests. With -p or -c: only those that this process
 * or a descendant makes itself. What is written later is written by threads of the kernel (kworker).
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when the request was done
 *	LAT_us	microseconds from its start until then
 *	DEVICE	disk or partition
 *	D	R: read, W: write
 *	BLOCK	first block on the device, of 512 bytes
 *	BYTES	size
 *	PID	process that made it
 *	COMM	its command
 *	FILE	file that its first page belongs to, if that is known
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %8s %-9s %1s %10s %8s %7s %-15s %s\n", "TIME_ms", "LAT_us", "DEVICE", "D", "BLOCK", "BYTES", "PID", "COMM",
	    "FILE");
}

io:::start
/WANTED && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	start[arg0] = timestamp;
	who[arg0] = pid;
	what[arg0] = execname;
	file[arg0] = args[2]->fi_name;
}

io:::done
/start[arg0]/
{
	printf("%8d %8d %-9s %1s %10d %8d %7d %-15s %s\n", (timestamp - begin) / 1000000, (timestamp - start[arg0]) / 1000,
	    args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno, args[0]->b_bcount,
	    who[arg0], what[arg0], file[arg0]);
	start[arg0] = 0;
	who[arg0] = 0;
	what[arg0] = 0;
	file[arg0] = 0;
}
