#!/usr/sbin/dtrace -s
/*
 * bitesize.d: how large are the disk requests of each process?
 *
 * Usage: bitesize.d [-p PID | -c COMMAND]
 *
 * Many small requests cost more than few large ones. With -p or -c: only what this process or a descendant makes.
 *
 * Output: for each command, device and direction (R, W) the distribution of the sizes of its requests, in bytes.
 */

#pragma D option quiet

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing disk requests. End with Ctrl-C.\n");
}

io:::start
/WANTED/
{
	@bytes[execname, args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = quantize(args[0]->b_bcount);
}

END
{
	printa("%s, %s, %s, bytes:%@d\n", @bytes);
}
