#!/usr/sbin/dtrace -s
/*
 * dtruss.d: which system calls does a process make, with what arguments and results, and how long does each take?
 *
 * Usage: dtruss.d -p PID | -c COMMAND [system call]
 *
 * The process is not stopped and not slowed down as by ptrace(2). Its descendants are followed. With the name of a
 * system call: only those. Paths are shown as text, all other arguments as numbers; the first three only.
 *
 * Columns:
 *	PID/TID	process and thread
 *	TIME_us	microseconds since tracing began, at the return
 *	ELAPSED_us	microseconds from entry to return
 *	CPU_us	microseconds of them on a CPU
 *	SYSCALL(ARGS)	the call, and after = its result, and errno if it failed
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

BEGIN
/$target == 0/
{
	printf("usage: dtruss.d -p PID | -c COMMAND [system call]\n");
	exit(2);
}

BEGIN
/$target != 0/
{
	begin = timestamp;
	printf("%-15s %10s %10s %8s %s\n", "PID/TID", "TIME_us", "ELAPSED_us", "CPU_us", "SYSCALL(ARGS)\t= RESULT ERRNO");
}

syscall:::entry
/progenyof($target) && ($$1 == "" || probefunc == $$1)/
{
	self->in = timestamp;
	self->cpu = vtimestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
}

/* Which argument is a path: 1, 2, or none. */
syscall::open:entry, syscall::creat:entry, syscall::stat:entry, syscall::lstat:entry,
syscall::access:entry, syscall::unlink:entry, syscall::mkdir:entry, syscall::rmdir:entry, syscall::chdir:entry,
syscall::readlink:entry, syscall::chmod:entry, syscall::chown:entry, syscall::truncate:entry, syscall::statfs:entry,
syscall::link:entry, syscall::rename:entry, syscall::symlink:entry, syscall::execve:entry, syscall::getxattr:entry
/self->in/
{
	self->path = 1;
}

syscall::openat:entry, syscall::openat2:entry, syscall::newfstatat:entry, syscall::statx:entry, syscall::faccessat:entry,
syscall::faccessat2:entry, syscall::unlinkat:entry, syscall::mkdirat:entry, syscall::readlinkat:entry,
syscall::fchmodat:entry, syscall::fchownat:entry, syscall::execveat:entry, syscall::renameat:entry, syscall::renameat2:entry,
syscall::linkat:entry, syscall::mknodat:entry
/self->in/
{
	self->path = 2;
}

syscall::execve:entry
/self->in/
{
	self->text = copyinstr(arg0);
}

syscall:::return
/self->in/
{
	this->at = (timestamp - begin) / 1000;
	this->elapsed = (timestamp - self->in) / 1000;
	this->cpu = (vtimestamp - self->cpu) / 1000;
	this->id = strjoin(lltostr(pid), strjoin("/", lltostr(tid)));
	this->result = arg1 > 0xffffffff ? lltostr(arg1, 16) : lltostr(arg1);
	self->in = 0;
}

syscall:::return
/this->id != "" && self->path == 0/
{
	printf("%-15s %10d %10d %8d %s(0x%x, 0x%x, 0x%x)\t= %s %d\n", this->id, this->at, this->elapsed, this->cpu, probefunc,
	    self->a, self->b, self->c, this->result, errno);
}

syscall:::return
/this->id != "" && self->path == 1/
{
	printf("%-15s %10d %10d %8d %s(\"%s\", 0x%x, 0x%x)\t= %s %d\n", this->id, this->at, this->elapsed, this->cpu, probefunc,
	    self->text != "" ? self->text : copyinstr(self->a), self->b, self->c, this->result, errno);
}

syscall:::return
/this->id != "" && self->path == 2/
{
	printf("%-15s %10d %10d %8d %s(%d, \"%s\", 0x%x)\t= %s %d\n", this->id, this->at, this->elapsed, this->cpu, probefunc,
	    (int)self->a, copyinstr(self->b), self->c, this->result, errno);
}

syscall:::return
/this->id != ""/
{
	self->path = 0;
	self->text = 0;
	this->id = "";
}
