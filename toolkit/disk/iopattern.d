#!/usr/sbin/dtrace -s
/*
 * iopattern.d: are the disks used sequentially or at random, and in which sizes?
 *
 * Usage: iopattern.d [seconds]
 *
 * A line for each disk every second, or as told. A request is sequential if it begins where the one before it on the
 * same disk ended. Requests without data (flushes) are left out.
 *
 * Columns:
 *	DEVICE	disk
 *	%RAN	of the requests, per cent at random
 *	%SEQ	of the requests, per cent sequential
 *	COUNT	requests
 *	MIN	bytes of the smallest
 *	MAX	bytes of the largest
 *	AVG	bytes on average
 *	READ	bytes read
 *	WRITTEN	bytes written
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortkey

inline int SECONDS = $1 ? $1 : 1;

uint64_t next[string];

BEGIN
{
	left = SECONDS;
}

io:::start
/args[0]->b_bcount != 0/
{
	this->disk = args[1]->dev_name;
	this->bytes = args[0]->b_bcount;
	this->random = args[0]->b_blkno != next[this->disk];
	next[this->disk] = args[0]->b_blkno + this->bytes / 512;
	@random[this->disk] = avg(this->random ? 100 : 0);
	@sequential[this->disk] = avg(this->random ? 0 : 100);
	@count[this->disk] = count();
	@min[this->disk] = min(this->bytes);
	@max[this->disk] = max(this->bytes);
	@avg[this->disk] = avg(this->bytes);
	@read[this->disk] = sum(args[0]->b_flags & B_READ ? this->bytes : 0);
	@written[this->disk] = sum(args[0]->b_flags & B_READ ? 0 : this->bytes);
}

tick-1s
{
	left--;
}

tick-1s, END
/left == 0 || probename == "END"/
{
	printf("%Y\n%-9s %4s %4s %8s %8s %9s %8s %12s %12s\n", walltimestamp, "DEVICE", "%RAN", "%SEQ", "COUNT", "MIN", "MAX",
	    "AVG", "READ", "WRITTEN");
	printa("%-9s %@4d %@4d %@8d %@8d %@9d %@8d %@12d %@12d\n", @random, @sequential, @count, @min, @max, @avg, @read,
	    @written);
	trunc(@random); trunc(@sequential); trunc(@count); trunc(@min); trunc(@max); trunc(@avg); trunc(@read);
	trunc(@written);
	left = SECONDS;
}
