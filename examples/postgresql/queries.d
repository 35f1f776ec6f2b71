#!/usr/sbin/dtrace -s
/*
 * queries.d: latency of PostgreSQL's queries by their text, by the probes that distributions build into it. All servers
 * and connections, also those that begin later.
 *
 *     dtrace -s queries.d
 */

#pragma D option quiet
#pragma D option strsize=128

postgresql*:::query-start
{
	self->start = timestamp;
	self->text = copyinstr(arg0);
}

postgresql*:::query-done
/self->start/
{
	@latency[self->text] = quantize((timestamp - self->start) / 1000);
	@calls[self->text] = count();
	@total[self->text] = sum((timestamp - self->start) / 1000);
	self->start = 0;
	self->text = 0;
}

END
{
	printf("%8s %10s  %s\n", "CALLS", "TOTAL us", "QUERY");
	printa("%@8d %@10d  %s\n", @calls, @total);
	printf("\nlatency in us");
	printa(@latency);
}
