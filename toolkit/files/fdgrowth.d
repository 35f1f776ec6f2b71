#!/usr/sbin/dtrace -s
/*
 * fdgrowth.d: which processes open more descriptors than they close, and on what?
 *
 * Usage: fdgrowth.d [-p PID | -c COMMAND]
 *
 * A number that only grows is a leak. Counts files that are opened, sockets, pipes, copies and their like, less what is
 * closed; files that close at exec or at the end of the process are not counted as closed. With -p or -c: only that
 * process and its descendants.
 *
 * Columns:
 *	PID	process
 *	COMM	its command
 *	WHAT	the path of a file, or the kind of file system of what has none (sockfs, pipefs)
 *	GROWTH	descriptors opened less descriptors closed
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);
inline string WHAT[int fd] = fds[fd].fi_pathname == "<unknown>" ? fds[fd].fi_fs : fds[fd].fi_pathname;

syscall::open:return, syscall::openat:return, syscall::openat2:return, syscall::creat:return, syscall::socket:return,
syscall::accept:return, syscall::accept4:return, syscall::dup:return, syscall::eventfd2:return,
syscall::epoll_create1:return, syscall::memfd_create:return, syscall::timerfd_create:return, syscall::signalfd4:return,
syscall::inotify_init1:return
/WANTED && errno == 0/
{
	@growth[pid, execname, WHAT[arg1]] = sum(1);
}

syscall::pipe:return, syscall::pipe2:return
/WANTED && errno == 0/
{
	@growth[pid, execname, "pipefs"] = sum(2);
}

syscall::socketpair:return
/WANTED && errno == 0/
{
	@growth[pid, execname, "sockfs"] = sum(2);
}

syscall::close:entry
/WANTED && fds[arg0].fi_name != "<none>"/
{
	@growth[pid, execname, WHAT[arg0]] = sum(-1);
}

END
{
	printf("%7s %-15s %-50s %8s\n", "PID", "COMM", "WHAT", "GROWTH");
	printa("%7d %-15s %-50s %@8d\n", @growth);
}
