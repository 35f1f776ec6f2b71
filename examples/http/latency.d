#!/usr/sbin/dtrace -s
/*
 * latency.d: requests of the example server by path and status, with their latency in microseconds.
 *
 *     dtrace -L lib -s latency.d -p $(pgrep httpd)
 */

#pragma D option quiet

httpd$target:::request-start
{
	self->start = timestamp;
	@clients[args[0]->ci_remote, args[1]->hri_useragent] = count();
}

httpd$target:::request-done
/self->start/
{
	@latency[args[1]->hri_method, args[1]->hri_uri, args[2]] = quantize((timestamp - self->start) / 1000);
	self->start = 0;
}

END
{
	printf("%-16s %-24s %s\n", "CLIENT", "AGENT", "REQUESTS");
	printa("%-16s %-24s %@d\n", @clients);
	printf("\nlatency in us");
	printa(@latency);
}
