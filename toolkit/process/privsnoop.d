#!/usr/sbin/dtrace -s
/*
 * privsnoop.d: which processes change who they are (user, group, capabilities), and may they?
 *
 * Usage: privsnoop.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME	when
 *	PID	process
 *	COMM	its command
 *	UID	real user, before
 *	CALL	system call
 *	ARG	first argument: the user or group asked for; -1: none, or as it was
 *	ERR	0, or why not (1: not permitted)
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("%-20s %7s %-15s %6s %-10s %6s %3s\n", "TIME", "PID", "COMM", "UID", "CALL", "ARG", "ERR");
}

syscall::setuid:entry, syscall::setgid:entry, syscall::setreuid:entry, syscall::setregid:entry, syscall::setresuid:entry,
syscall::setresgid:entry, syscall::setfsuid:entry, syscall::setfsgid:entry, syscall::setgroups:entry, syscall::capset:entry
/WANTED/
{
	self->in = 1;
	self->was = uid;
	self->asked = (int)arg0;
}

/* These take the address of what they are to be. */
syscall::setgroups:entry, syscall::capset:entry
/self->in/
{
	self->asked = -1;
}

syscall::setuid:return, syscall::setgid:return, syscall::setreuid:return, syscall::setregid:return,
syscall::setresuid:return, syscall::setresgid:return, syscall::setfsuid:return, syscall::setfsgid:return,
syscall::setgroups:return, syscall::capset:return
/self->in/
{
	printf("%Y %7d %-15s %6d %-10s %6d %3d\n", walltimestamp, pid, execname, self->was, probefunc, self->asked, errno);
	self->in = 0;
	self->was = 0;
	self->asked = 0;
}
