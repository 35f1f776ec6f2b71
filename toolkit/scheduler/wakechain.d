#!/usr/sbin/dtrace -s
/*
 * wakechain.d: who waits for whom, and how long?
 *
 * Usage: wakechain.d [-p PID | -c COMMAND]
 *
 * A thread that sleeps goes on when another wakes it: what that one did before is what the sleeper waited for. Timers
 * and devices wake in interrupts: then the waker is whatever was running, often swapper (the idle thread). With -p or
 * -c: only sleepers of that process and its descendants.
 *
 * Output: for each command that slept and each command that woke it, the distribution of the time slept, in
 * microseconds; and the sum, in microseconds.
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid && pid != 0 : progenyof($target);

BEGIN
{
	printf("Tracing who wakes whom. End with Ctrl-C.\n");
}

sched:::off-cpu
/WANTED && curlwpsinfo->pr_state == SSLEEP/
{
	slept[curlwpsinfo->pr_addr] = timestamp;
}

sched:::wakeup
/slept[args[0]->pr_addr]/
{
	this->us = (timestamp - slept[args[0]->pr_addr]) / 1000;
	slept[args[0]->pr_addr] = 0;
	@us[args[1]->pr_fname, execname] = quantize(this->us);
	@total[args[1]->pr_fname, execname] = sum(this->us);
}

END
{
	printa("%s waited for %s, us:%@d\n", @us);
	printa("%s waited for %s: %@d us\n", @total);
}
