#!/usr/sbin/dtrace -s
/*
 * udpsnoop.d: which UDP datagrams come and go, between whom, and how large?
 *
 * Usage: udpsnoop.d [port]
 *
 * With a port: only datagrams from or to it. A datagram over the loopback is seen twice, when it is sent and when it comes.
 *
 * Columns:
 *	TIME_us	microseconds since tracing began
 *	DIR	->: sent, <-: received
 *	SOURCE	address and port that it comes from
 *	DEST	address and port that it goes to
 *	BYTES	data, without headers
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%10s %-3s %-28s %-28s %8s\n", "TIME_us", "DIR", "SOURCE", "DEST", "BYTES");
}

udp:::send, udp:::receive
/$1 == 0 || args[4]->udp_sport == $1 || args[4]->udp_dport == $1/
{
	printf("%10d %-3s %-28s %-28s %8d\n", (timestamp - begin) / 1000, probename == "send" ? "->" : "<-",
	    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->udp_sport))),
	    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->udp_dport))), args[4]->udp_length - 8);
}
