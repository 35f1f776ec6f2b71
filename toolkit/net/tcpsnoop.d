#!/usr/sbin/dtrace -s
/*
 * tcpsnoop.d: which TCP segments come and go, between whom, with how much data?
 *
 * Usage: tcpsnoop.d [port]
 *
 * With a port: only segments from or to it, at either end. A segment over the loopback is seen twice, when it is sent
 * and when it comes. What the network device cuts into packets or joins is one segment here.
 *
 * Columns:
 *	TIME_us	microseconds since tracing began
 *	DIR	->: sent, <-: received
 *	SOURCE	address and port that it comes from
 *	DEST	address and port that it goes to
 *	BYTES	data, without headers
 *	FLAGS	S: SYN, A: ACK, P: PUSH, F: FIN, R: RST
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%10s %-3s %-25s %-25s %8s %s\n", "TIME_us", "DIR", "SOURCE", "DEST", "BYTES", "FLAGS");
}

tcp:::send, tcp:::receive
/$1 == 0 || args[4]->tcp_sport == $1 || args[4]->tcp_dport == $1/
{
	this->source = strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->tcp_sport)));
	this->dest = strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->tcp_dport)));
	printf("%10d %-3s %-25s %-25s %8d %s%s%s%s%s\n", (timestamp - begin) / 1000, probename == "send" ? "->" : "<-",
	    this->source, this->dest, args[2]->ip_plength - args[4]->tcp_offset,
	    args[4]->tcp_flags & TH_SYN ? "S" : "", args[4]->tcp_flags & TH_ACK ? "A" : "",
	    args[4]->tcp_flags & TH_PUSH ? "P" : "", args[4]->tcp_flags & TH_FIN ? "F" : "",
	    args[4]->tcp_flags & TH_RST ? "R" : "");
}
