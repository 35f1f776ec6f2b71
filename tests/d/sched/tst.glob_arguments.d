/* Probes that have the same arguments in different places can share a clause. @@flags -q */
sched:::*queue
/args[0]->pr_lwpid != 0 && args[1]->pr_pid != 0 && arg0 != 0/
{
	seen[probename] = 1;
}

tick-10ms
/seen["enqueue"] && seen["dequeue"]/
{
	exit(0);
}
