/* The task structure agrees with the other variables. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", curthread->pid == tid, curthread->tgid == pid, stringof(curthread->comm) == execname, curthread->real_parent->tgid == ppid);
	exit(0);
}
