#!/usr/sbin/dtrace -s
/*
 * oomkills.d: which processes are killed because memory is short, how large were they, and whose wish for memory was it?
 *
 * Usage: oomkills.d
 *
 * The kernel kills when a process wants memory, and neither reclaim nor waiting has made room: in the whole machine, or
 * below the limit of a control group. Who is killed is the largest, not the one that asked.
 *
 * Columns:
 *	TIME	when
 *	BY_PID	process that wanted memory
 *	BY_COMM	its command
 *	PID	process that was killed
 *	UID	whose it was
 *	RSS_KiB	KiB that it had in memory
 *	SIZE_KiB	KiB of its address space
 *	COMM	its command
 *
 * Below each line is where the kernel was: with mem_cgroup_out_of_memory() the limit of a control group was reached,
 * without it the machine's memory; further down it shows what the memory was for.
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int SEND_SIG_PRIV = 1;

BEGIN
{
	printf("%-20s %7s %-15s %7s %6s %10s %10s %s\n", "TIME", "BY_PID", "BY_COMM", "PID", "UID", "RSS_KiB", "SIZE_KiB",
	    "COMM");
}

/* The kernel's own SIGKILL, which comes right before. */
sdt:signal::signal_generate
/args[0] == SIGKILL && arg1 == SEND_SIG_PRIV/
{
	self->pid = xlate <psinfo_t *>(args[2])->pr_pid;
	self->uid = xlate <psinfo_t *>(args[2])->pr_uid;
	self->rss = xlate <psinfo_t *>(args[2])->pr_rssize;
	self->size = xlate <psinfo_t *>(args[2])->pr_size;
	self->comm = xlate <psinfo_t *>(args[2])->pr_fname;
}

sdt:oom::mark_victim
/self->pid/
{
	printf("%-20Y %7d %-15s %7d %6d %10d %10d %s", walltimestamp, pid, execname, self->pid, self->uid, self->rss,
	    self->size, self->comm);
	stack();
	self->pid = 0;
	self->uid = 0;
	self->rss = 0;
	self->size = 0;
	self->comm = 0;
}
