/* Pointers to kernel structures in variables of all scopes. @@flags -q */
BEGIN
{
	g = curthread; self->t = curthread->real_parent; this->t = g->group_leader; a[tid] = curthread;
	printf("%d %d %d %d\n", g->pid == tid, self->t->tgid == ppid, this->t->pid == pid, a[tid]->tgid == pid);
	exit(0);
}
