/* Structures of the kernel: chains, arrays, bit-fields, addresses of members. @@flags -q */
BEGIN
{
	printf("%d %d %d\n", curthread->cred->uid.val == uid, curthread->thread_pid->numbers[0].nr > 0, curthread->parent == curthread->real_parent);
	printf("%s %c %s\n", curthread->comm, curthread->comm[0], stringof(curthread->group_leader->comm));
	printf("%d %d\n", curthread->sched_reset_on_fork, curthread->signal->nr_threads >= 1);
	this->p = &curthread->pid;
	printf("%d %s\n", *this->p == tid, curthread->nsproxy->uts_ns->name.sysname);
	exit(0);
}
