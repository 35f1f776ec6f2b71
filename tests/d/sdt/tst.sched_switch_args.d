/* Arguments of tracepoints are typed by BTF. @@flags -q */
int named;

sdt:sched::sched_switch
/args[1]->pid != args[2]->pid/
{
	named = args[2]->comm != "";
	exit(0);
}

END
{
	printf("%d\n", named);
}
