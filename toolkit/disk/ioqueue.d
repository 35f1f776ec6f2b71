#!/usr/sbin/dtrace -s
/*
 * ioqueue.d: how many requests has a disk to do at a time?
 *
 * Usage: ioqueue.d
 *
 * A disk that always has one request waits for the program; one that always has many makes the program wait.
 *
 * Output: for each disk, how many requests had begun and not ended when another began, that one included.
 */

#pragma D option quiet

int depth[string];

BEGIN
{
	printf("Tracing disk requests. End with Ctrl-C.\n");
}

io:::start
{
	known[arg0] = 1;
	depth[args[1]->dev_name]++;
	@depth[args[1]->dev_name] = lquantize(depth[args[1]->dev_name], 0, 128);
}

io:::done
/known[arg0]/
{
	known[arg0] = 0;
	depth[args[1]->dev_name]--;
}

END
{
	printa("%s, requests:%@d\n", @depth);
}
