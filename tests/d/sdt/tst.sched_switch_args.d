/* Arguments of tracepoints are typed by BTF. @@flags -q */
sdt:sched::sched_switch
/args[1]->pid != args[2]->pid/
{
	printf("%d\n", args[2]->comm != "");
	exit(0);
}
