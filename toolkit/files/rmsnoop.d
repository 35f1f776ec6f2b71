#!/usr/sbin/dtrace -s
/*
 * rmsnoop.d: who removes and renames files and folders?
 *
 * Usage: rmsnoop.d [-p PID | -c COMMAND]
 *
 * With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	TIME	when
 *	UID	real user
 *	PID	process
 *	COMM	its command
 *	CALL	system call
 *	ERR	0, or why it failed (errno)
 *	PATH	as the process gave it; of a new name, after ->
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("%-20s %6s %7s %-15s %-9s %3s %s\n", "TIME", "UID", "PID", "COMM", "CALL", "ERR", "PATH");
}

syscall::unlink:entry, syscall::rmdir:entry
/WANTED/
{
	self->path = arg0;
}

syscall::unlinkat:entry
/WANTED/
{
	self->path = arg1;
}

syscall::rename:entry
/WANTED/
{
	self->path = arg0;
	self->to = arg1;
}

syscall::renameat:entry, syscall::renameat2:entry
/WANTED/
{
	self->path = arg1;
	self->to = arg3;
}

syscall::unlink:return, syscall::rmdir:return, syscall::unlinkat:return, syscall::rename*:return
/self->path/
{
	printf("%Y %6d %7d %-15s %-9s %3d %s%s%s\n", walltimestamp, uid, pid, execname, probefunc, errno,
	    copyinstr(self->path), self->to ? " -> " : "", self->to ? copyinstr(self->to) : "");
	self->path = 0;
	self->to = 0;
}
