#!/usr/sbin/dtrace -s
/*
 * tcplife.d: how long do TCP connections last, and how much do they carry?
 *
 * Usage: tcplife.d [port]
 *
 * A line for each connection that is established and closed while this runs; over the loopback there are two, one for each
 * end. With a port: only connections that have it at one end.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when it was closed
 *	LOCAL	address and port on this side
 *	REMOTE	address and port of the other
 *	SENT	bytes that the other side has acknowledged; the beginning and the end may count as one each
 *	RECEIVED	bytes received; the end counts as one
 *	LIFE_ms	milliseconds from established to closed
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%8s %-24s %-24s %12s %12s %10s\n", "TIME_ms", "LOCAL", "REMOTE", "SENT", "RECEIVED", "LIFE_ms");
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED && ($1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1)/
{
	start[args[1]->cs_addr] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && start[args[1]->cs_addr]/
{
	this->sock = (struct tcp_sock *)args[1]->cs_addr;
	this->local = strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport)));
	this->remote = strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport)));
	printf("%8d %-24s %-24s %12d %12d %10d\n", (timestamp - begin) / 1000000, this->local, this->remote,
	    this->sock->bytes_acked, this->sock->bytes_received, (timestamp - start[args[1]->cs_addr]) / 1000000);
	start[args[1]->cs_addr] = 0;
}
