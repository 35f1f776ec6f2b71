#!/usr/sbin/dtrace -s
/*
 * tcpretrans.d: which TCP segments must be sent again, and where to?
 *
 * Usage: tcpretrans.d
 *
 * A segment is sent again when no acknowledgement came for it in time: it was lost, or the other side is dead or too busy
 * (SYN-SENT: it does not even answer).
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	LOCAL	address and port on this side
 *	REMOTE	address and port of the other
 *	STATE	state of the connection
 *	AGAIN	how many times in a row no answer came in time; 0 if others told first that it was lost
 */

#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	begin = timestamp;
	printf("%8s %-28s %-28s %-19s %5s\n", "TIME_ms", "LOCAL", "REMOTE", "STATE", "AGAIN");
}

sdt:tcp::tcp_retransmit_skb
{
	this->s = args[0];
	this->four = this->s->__sk_common.skc_family == AF_INET;
	this->local = strjoin(this->four ? inet_ntop(AF_INET, &this->s->__sk_common.skc_rcv_saddr) :
	    inet_ntop(AF_INET6, &this->s->__sk_common.skc_v6_rcv_saddr),
	    strjoin(":", lltostr(this->s->__sk_common.skc_num)));
	this->remote = strjoin(this->four ? inet_ntop(AF_INET, &this->s->__sk_common.skc_daddr) :
	    inet_ntop(AF_INET6, &this->s->__sk_common.skc_v6_daddr),
	    strjoin(":", lltostr(ntohs(this->s->__sk_common.skc_dport))));
	printf("%8d %-28s %-28s %-19s %5d\n", (timestamp - begin) / 1000000, this->local, this->remote,
	    tcp_state_string[this->s->__sk_common.skc_state],
	    ((struct inet_connection_sock *)this->s)->icsk_retransmits);
}
