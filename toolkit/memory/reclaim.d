#!/usr/sbin/dtrace -s
/*
 * reclaim.d: which processes must make room in memory themselves before they get any, how long does it take, and what does
 * the kernel's own thread do about it?
 *
 * Usage: reclaim.d [-p PID | -c COMMAND]
 *
 * A process that asks for memory when there is too little must give pages of files and idle pages back first: it waits. That
 * is what the threads kswapd are there to prevent; they begin earlier. With -p or -c: only that process and its
 * descendants, and kswapd.
 *
 * Columns:
 *	PID	process that had to make room
 *	COMM	its command
 *	WHERE	what was short: memory (of the machine), cgroup (the limit of a control group), node (of NUMA)
 *	COUNT	how often
 *	PAGES	pages that were got back
 *	TOTAL_us	microseconds that it took
 *	MAX_us	microseconds of the longest
 *	KSWAPD	thread of the kernel that makes room for others; none below: it was not needed
 *	WAKES	how often it woke
 *	SCANNED	pages that it looked at
 *	BUSY_ms	milliseconds from waking to sleeping
 */

#pragma D option quiet
#pragma D option aggsortkey

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing reclaim. End with Ctrl-C.\n");
}

sdt:vmscan::mm_vmscan_*reclaim_begin
/WANTED && probename != "mm_vmscan_memcg_softlimit_reclaim_begin"/
{
	self->since = timestamp;
}

sdt:vmscan::mm_vmscan_*reclaim_end
/self->since && probename != "mm_vmscan_memcg_softlimit_reclaim_end"/
{
	this->where = probename == "mm_vmscan_direct_reclaim_end" ? "memory" :
	    probename == "mm_vmscan_memcg_reclaim_end" ? "cgroup" : "node";
	this->ns = timestamp - self->since;
	self->since = 0;
	@count[pid, execname, this->where] = count();
	@pages[pid, execname, this->where] = sum(args[0]);
	@total[pid, execname, this->where] = sum(this->ns);
	@max[pid, execname, this->where] = max(this->ns);
}

sdt:vmscan::mm_vmscan_kswapd_wake
{
	self->woke = timestamp;
	@wakes[execname] = count();
}

sdt:vmscan::mm_vmscan_kswapd_sleep
/self->woke/
{
	@busy[execname] = sum(timestamp - self->woke);
	self->woke = 0;
}

vminfo:::scan
/self->woke/
{
	@scanned[execname] = sum(arg0);
}

vminfo:::dfree
/self->woke/
{
	@freed[execname] = sum(arg0);
}

END
{
	normalize(@total, 1000);
	normalize(@max, 1000);
	normalize(@busy, 1000000);
	printf("%7s %-15s %-6s %8s %10s %10s %9s\n", "PID", "COMM", "WHERE", "COUNT", "PAGES", "TOTAL_us", "MAX_us");
	printa("%7d %-15s %-6s %@8d %@10d %@10d %@9d\n", @count, @pages, @total, @max);
	printf("%-15s %10s %10s %10s %10s\n", "KSWAPD", "WAKES", "SCANNED", "PAGES", "BUSY_ms");
	printa("%-15s %@10d %@10d %@10d %@10d\n", @wakes, @scanned, @freed, @busy);
}
