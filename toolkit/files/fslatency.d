#!/usr/sbin/dtrace -s
/*
 * fslatency.d: how long do programs wait for each kind of file system?
 *
 * Usage: fslatency.d [-p PID | -c COMMAND] [kind of file system]
 *
 * What a program feels, with the page cache, locks and the disk. With a kind (ext4, xfs, nfs4, tmpfs): only that. With
 * -p or -c: only that process and its descendants.
 *
 * As a heat map, a column a second: dtrace -O heatmap -o FILE.svg -s fslatency.d, with the same arguments.
 *
 * Output: for each kind of file system and system call the distribution of the time from entry to return, in
 * microseconds.
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

BEGIN
{
	printf("Tracing file systems. End with Ctrl-C.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry,
syscall::fsync:entry, syscall::fdatasync:entry, syscall::getdents64:entry, syscall::ftruncate:entry,
syscall::fallocate:entry, syscall::fstat:entry
/WANTED && fds[arg0].fi_name != "<none>"/
{
	self->kind = fds[arg0].fi_fs;
	self->start = timestamp;
}

syscall::*read*:return, syscall::*write*:return, syscall::*sync:return, syscall::getdents64:return,
syscall::ftruncate:return, syscall::fallocate:return, syscall::fstat:return
/self->start && ($$1 == "" || self->kind == $$1)/
{
	@us[self->kind, probefunc] = quantize((timestamp - self->start) / 1000);
}

syscall::*read*:return, syscall::*write*:return, syscall::*sync:return, syscall::getdents64:return,
syscall::ftruncate:return, syscall::fallocate:return, syscall::fstat:return
{
	self->start = 0;
	self->kind = 0;
}

END
{
	printa("%s, %s, us:%@d\n", @us);
}
