#!/usr/sbin/dtrace -s
/*
 * iofiles.d: which files are read from the disks and written to them, and who makes the disks do that?
 *
 * Usage: iofiles.d [-p PID | -c COMMAND]
 *
 * What comes from memory (the page cache) is not seen: rwtop.d counts what programs ask for. Most writing is done later
 * by threads of the kernel (kworker). A file is known by the first page of a request; <none> is direct input and output
 * and what the file system keeps for itself. With -p or -c: only what that process or a descendant makes.
 *
 * Columns:
 *	COMM	command that made the requests
 *	DEVICE	disk or partition
 *	D	R: read, W: write
 *	FILE	name of the file
 *	COUNT	requests
 *	BYTES	bytes of them
 */

#pragma D option quiet
#pragma D option aggsortpos=1

inline int WANTED = $target == 0 || progenyof($target);

io:::start
/WANTED && args[0]->b_bcount != 0/
{
	this->file = args[2]->fi_name == "" ? "<none>" : args[2]->fi_name;
	@count[execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", this->file] = count();
	@bytes[execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", this->file] =
	    sum(args[0]->b_bcount);
}

END
{
	printf("%-15s %-9s %1s %-32s %8s %12s\n", "COMM", "DEVICE", "D", "FILE", "COUNT", "BYTES");
	printa("%-15s %-9s %1s %-32s %@8d %@12d\n", @count, @bytes);
}
