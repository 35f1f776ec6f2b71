/* Sizes, places, casts and enumerators of kernel types. @@flags -q */
BEGIN
{
	printf("%d %d\n", sizeof (struct list_head), offsetof(struct list_head, prev));
	printf("%d %d\n", ((struct task_struct *)curthread)->tgid == pid, sizeof (struct task_struct) > offsetof(struct task_struct, comm));
	printf("%d %d\n", PIDTYPE_TGID, (enum pid_type)2 == PIDTYPE_PGID);
	exit(0);
}
