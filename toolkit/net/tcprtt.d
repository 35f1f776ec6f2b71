#!/usr/sbin/dtrace -s
/*
 * tcprtt.d: how far away are the other ends of TCP connections, in time?
 *
 * Usage: tcprtt.d [port]
 *
 * The kernel's own smoothed estimate of the round trip, at each segment with data that is sent. With a port: only
 * connections that have it at one end.
 *
 * Output: for each remote address the distribution of round trip times, in microseconds.
 */

#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("Tracing TCP. End with Ctrl-C.\n");
}

tcp:::send
/args[2]->ip_plength > args[4]->tcp_offset && args[3]->tcps_rtt != 0 &&
    ($1 == 0 || args[4]->tcp_sport == $1 || args[4]->tcp_dport == $1)/
{
	@us[args[2]->ip_daddr] = quantize(args[3]->tcps_rtt);
}

END
{
	printa("%s, us:%@d\n", @us);
}
