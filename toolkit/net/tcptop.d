#!/usr/sbin/dtrace -s
/*
 * tcptop.d: which processes send and receive most over TCP, and with whom?
 *
 * Usage: tcptop.d [-p PID | -c COMMAND] [seconds [lines]]
 *
 * A report every 5 seconds, or as told, of the 20 largest in each direction, the largest last. Counts what programs hand
 * over in system calls (read, write, send, recv and their like; not io_uring, sendfile and sendmmsg). With -p or -c:
 * only that process and its descendants.
 *
 * Columns:
 *	PID	process
 *	COMM	its command
 *	LOCAL	address and port on this side
 *	REMOTE	address and port of the other
 *	D	S: sent, R: received
 *	BYTES	data
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline int SECONDS = $1 ? $1 : 5;
inline int LINES = $2 ? $2 : 20;

/* The socket of a descriptor, NULL if it is none of TCP. */
inline struct sock *SOCK[int fd] = ((struct socket *)getf(fd)->private_data)->sk;

BEGIN
{
	left = SECONDS;
}

syscall::read:entry, syscall::readv:entry, syscall::recvfrom:entry, syscall::recvmsg:entry,
syscall::write:entry, syscall::writev:entry, syscall::sendto:entry, syscall::sendmsg:entry
/WANTED && fds[arg0].fi_fs == "sockfs"/
{
	self->sock = SOCK[arg0];
}

syscall::*read*:return, syscall::*recv*:return, syscall::*write*:return, syscall::*send*:return
/self->sock != NULL && (self->sock->__sk_common.skc_family != AF_INET && self->sock->__sk_common.skc_family != AF_INET6 ||
    self->sock->sk_protocol != IPPROTO_TCP)/
{
	self->sock = NULL;
}

syscall::*read*:return, syscall::*recv*:return, syscall::*write*:return, syscall::*send*:return
/self->sock != NULL && arg1 > 0/
{
	this->s = self->sock;
	this->four = this->s->__sk_common.skc_family == AF_INET;
	this->local = strjoin(this->four ? inet_ntop(AF_INET, &this->s->__sk_common.skc_rcv_saddr) :
	    inet_ntop(AF_INET6, &this->s->__sk_common.skc_v6_rcv_saddr),
	    strjoin(":", lltostr(this->s->__sk_common.skc_num)));
	this->remote = strjoin(this->four ? inet_ntop(AF_INET, &this->s->__sk_common.skc_daddr) :
	    inet_ntop(AF_INET6, &this->s->__sk_common.skc_v6_daddr),
	    strjoin(":", lltostr(ntohs(this->s->__sk_common.skc_dport))));
}

syscall::*read*:return, syscall::*recv*:return
/self->sock != NULL && arg1 > 0/
{
	@bytes[pid, execname, this->local, this->remote, "R"] = sum(arg1);
}

syscall::*write*:return, syscall::*send*:return
/self->sock != NULL && arg1 > 0/
{
	@bytes[pid, execname, this->local, this->remote, "S"] = sum(arg1);
}

syscall::*read*:return, syscall::*recv*:return, syscall::*write*:return, syscall::*send*:return
{
	self->sock = NULL;
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	trunc(@bytes, LINES);
	printf("%Y\n%7s %-15s %-24s %-24s %1s %12s\n", walltimestamp, "PID", "COMM", "LOCAL", "REMOTE", "D", "BYTES");
	printa("%7d %-15s %-24s %-24s %1s %@12d\n", @bytes);
	trunc(@bytes);
	left = SECONDS;
}
