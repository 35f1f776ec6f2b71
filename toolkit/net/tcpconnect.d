#!/usr/sbin/dtrace -s
/*
 * tcpconnect.d: which TCP connections are opened from here, by whom, do they succeed, and how long does that take?
 *
 * Usage: tcpconnect.d [-p PID | -c COMMAND] [port]
 *
 * The time is that of one round trip, and more if the first packet is lost. With a port: only connections to it. With -p or
 * -c: only those of that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began, when the answer came
 *	PID	process that connects
 *	COMM	its command
 *	LOCAL	address and port on this side
 *	REMOTE	address and port of the other
 *	LAT_us	microseconds from the first packet to the answer
 *	RESULT	established or refused; what gets no answer is not shown (tcpretrans.d shows it)
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %-24s %-24s %8s %s\n", "TIME_ms", "PID", "COMM", "LOCAL", "REMOTE", "LAT_us", "RESULT");
}

tcp:::connect-request
/WANTED && ($1 == 0 || args[3]->tcps_rport == $1)/
{
	start[args[1]->cs_addr] = timestamp;
	who[args[1]->cs_addr] = pid;
	what[args[1]->cs_addr] = execname;
}

tcp:::connect-established, tcp:::connect-refused
/start[args[1]->cs_addr]/
{
	this->local = strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport)));
	this->remote = strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport)));
	printf("%8d %7d %-15s %-24s %-24s %8d %s\n", (timestamp - begin) / 1000000, who[args[1]->cs_addr],
	    what[args[1]->cs_addr], this->local, this->remote, (timestamp - start[args[1]->cs_addr]) / 1000,
	    probename == "connect-established" ? "established" : "refused");
	start[args[1]->cs_addr] = 0;
	who[args[1]->cs_addr] = 0;
	what[args[1]->cs_addr] = 0;
}
