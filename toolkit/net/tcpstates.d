#!/usr/sbin/dtrace -s
/*
 * tcpstates.d: through which states do TCP connections go, and how long do they stay in each?
 *
 * Usage: tcpstates.d [port]
 *
 * Much CLOSE-WAIT is a program that does not close; SYN-SENT that lasts is a server that does not answer. With a port: only
 * connections that have it at one end.
 *
 * Columns:
 *	TIME_us	microseconds since tracing began
 *	LOCAL	address and port on this side
 *	REMOTE	address and port of the other
 *	FROM	state until now
 *	TO	state from now on
 *	STAY_us	microseconds in the state until now, 0 if it began before tracing did
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

uint64_t since[uintptr_t];

BEGIN
{
	begin = timestamp;
	printf("%10s %-24s %-24s %-19s %-19s %10s\n", "TIME_us", "LOCAL", "REMOTE", "FROM", "TO", "STAY_us");
}

tcp:::state-change
/$1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1/
{
	this->sock = args[1]->cs_addr;
	this->local = strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport)));
	this->remote = strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport)));
	printf("%10d %-24s %-24s %-19s %-19s %10d\n", (timestamp - begin) / 1000, this->local, this->remote,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state],
	    since[this->sock] ? (timestamp - since[this->sock]) / 1000 : 0);
	since[this->sock] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
}
