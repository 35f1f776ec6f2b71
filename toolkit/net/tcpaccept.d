#!/usr/sbin/dtrace -s
/*
 * tcpaccept.d: which TCP connections are taken here, by which server, and from where?
 *
 * Usage: tcpaccept.d [-p PID | -c COMMAND] [port]
 *
 * A line when the server takes the connection with accept(2), which may be later than it was established. With a port: only
 * servers on it. With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME_ms	milliseconds since tracing began
 *	PID	process that took it
 *	COMM	its command
 *	REMOTE	address and port that it comes from
 *	PORT	port here
 *	QUEUED	established connections that still wait for the server
 *	LIMIT	how many may wait (the second argument of listen(2))
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline struct sock *SOCK[int fd] = ((struct socket *)getf(fd)->private_data)->sk;

BEGIN
{
	begin = timestamp;
	printf("%8s %7s %-15s %-28s %5s %6s %6s\n", "TIME_ms", "PID", "COMM", "REMOTE", "PORT", "QUEUED", "LIMIT");
}

syscall::accept:entry, syscall::accept4:entry
/WANTED && fds[arg0].fi_fs == "sockfs"/
{
	self->server = SOCK[arg0];
}

syscall::accept:return, syscall::accept4:return
/self->server != NULL && errno == 0/
{
	this->s = SOCK[arg1];
	this->family = this->s->__sk_common.skc_family;
	this->port = this->s->__sk_common.skc_num;
}

syscall::accept:return, syscall::accept4:return
/self->server != NULL && errno == 0 && this->s->sk_protocol == IPPROTO_TCP && ($1 == 0 || this->port == $1) &&
    (this->family == AF_INET || this->family == AF_INET6)/
{
	this->remote = this->family == AF_INET ? inet_ntop(AF_INET, &this->s->__sk_common.skc_daddr) :
	    inet_ntop(AF_INET6, &this->s->__sk_common.skc_v6_daddr);
	printf("%8d %7d %-15s %-28s %5d %6d %6d\n", (timestamp - begin) / 1000000, pid, execname,
	    strjoin(this->remote, strjoin(":", lltostr(ntohs(this->s->__sk_common.skc_dport)))), this->port,
	    self->server->sk_ack_backlog, self->server->sk_max_ack_backlog);
}

syscall::accept:return, syscall::accept4:return
{
	self->server = NULL;
}
