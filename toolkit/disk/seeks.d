#!/usr/sbin/dtrace -s
/*
 * seeks.d: how far apart are the places on a disk that follow each other?
 *
 * Usage: seeks.d [-p PID | -c COMMAND]
 *
 * Distances cost time on disks that turn, and defeat reading ahead on all. With -p or -c: only requests that this
 * process or a descendant makes; the distance is from the request before, whoever made that.
 *
 * Output: for each command and disk the distribution of the distances, in blocks of 512 bytes, from the end of the
 * request before; 0 is sequential.
 */

#pragma D option quiet

inline int WANTED = $target == 0 || progenyof($target);

uint64_t next[string];

BEGIN
{
	printf("Tracing disk requests. End with Ctrl-C.\n");
}

io:::start
/WANTED && args[0]->b_bcount != 0 && next[args[1]->dev_name]/
{
	this->far = (int64_t)(args[0]->b_blkno - next[args[1]->dev_name] + 1);
	@far[execname, args[1]->dev_name] = quantize(this->far < 0 ? -this->far : this->far);
}

/* One more than where it ends, so that 0 means not known. */
io:::start
/args[0]->b_bcount != 0/
{
	next[args[1]->dev_name] = args[0]->b_blkno + args[0]->b_bcount / 512 + 1;
}

END
{
	printa("%s, %s, blocks:%@d\n", @far);
}
