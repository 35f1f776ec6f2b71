#!/usr/sbin/dtrace -s
/*
 * mutexes.d: which mutexes of a program are contended, and which are held long?
 *
 * Usage: mutexes.d -p PID | -c COMMAND
 *
 * Sees pthread_mutex_lock(3) and pthread_mutex_unlock(3) in that process. The mutexes with most time held are last.
 *
 * Columns:
 *	MUTEX	address, with the name of the variable where it has one
 *	LOCKED	times it was got
 *	WAITED_us	microseconds from asking to getting, in all
 *	MAXWAIT_us	longest of these
 *	HELD_us	microseconds from getting to giving back, in all
 *	MAXHELD_us	longest of these
 */

#pragma D option quiet
#pragma D option aggsortpos=3

pid$target:libc:pthread_mutex_lock:entry
{
	self->mutex = arg0;
	self->asked = timestamp;
}

pid$target:libc:pthread_mutex_lock:return
/self->mutex && arg1 == 0/
{
	this->us = (timestamp - self->asked) / 1000;
	@locked[usym(self->mutex), self->mutex] = count();
	@waited[usym(self->mutex), self->mutex] = sum(this->us);
	@maxwait[usym(self->mutex), self->mutex] = max(this->us);
	self->got[self->mutex] = timestamp;
}

pid$target:libc:pthread_mutex_lock:return
{
	self->mutex = 0;
	self->asked = 0;
}

pid$target:libc:pthread_mutex_unlock:entry
/self->got[arg0]/
{
	this->us = (timestamp - self->got[arg0]) / 1000;
	self->got[arg0] = 0;
	@held[usym(arg0), arg0] = sum(this->us);
	@maxheld[usym(arg0), arg0] = max(this->us);
}

END
{
	printf("%-32s %-18s %8s %10s %10s %10s %10s\n", "MUTEX", "", "LOCKED", "WAITED_us", "MAXWAIT_us", "HELD_us",
	    "MAXHELD_us");
	printa("%-32A 0x%-16x %@8d %@10d %@10d %@10d %@10d\n", @locked, @waited, @maxwait, @held, @maxheld);
}
