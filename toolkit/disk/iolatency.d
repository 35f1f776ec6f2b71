#!/usr/sbin/dtrace -s
/*
 * iolatency.d: how long do disk requests take?
 *
 * Usage: iolatency.d [device]
 *
 * With a device (sda, nvme0n1p2, as /proc/diskstats has it): only its requests. A second hump far above the first is worth
 * a look with iosnoop.d.
 *
 * As a heat map, a column a second: dtrace -O heatmap -o FILE.svg -s iolatency.d, with the same arguments.
 *
 * Output: for each disk or partition and direction (R, W) the distribution of times from start to end of a request, in
 * microseconds; and how many there were, their average and longest, in microseconds.
 */

#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("Tracing disk requests. End with Ctrl-C.\n");
}

io:::start
/$$1 == "" || args[1]->dev_statname == $$1/
{
	start[arg0] = timestamp;
}

io:::done
/start[arg0]/
{
	this->us = (timestamp - start[arg0]) / 1000;
	this->way = args[0]->b_flags & B_READ ? "R" : "W";
	start[arg0] = 0;
	@us[args[1]->dev_statname, this->way] = quantize(this->us);
	@count[args[1]->dev_statname, this->way] = count();
	@avg[args[1]->dev_statname, this->way] = avg(this->us);
	@max[args[1]->dev_statname, this->way] = max(this->us);
}

END
{
	printa("%s, %s, us:%@d\n", @us);
	printa("%s, %s: %@d requests, average %@d us, longest %@d us\n", @count, @avg, @max);
}
