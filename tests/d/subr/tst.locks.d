/* What locks say, with locks of our own making. @@flags -q */
BEGIN
{
	this->l = (struct rw_semaphore *)alloca(sizeof (struct rw_semaphore));
	this->m = (struct mutex *)alloca(sizeof (struct mutex));
	this->l->count.counter = 0; this->m->owner.counter = 0;
	printf("%d%d%d %d%d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l),
	    mutex_owned(this->m), mutex_owner(this->m) == NULL);
	this->l->count.counter = 0x302; this->m->owner.counter = (long)curthread | 1;
	printf("%d%d%d %d%d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l),
	    mutex_owned(this->m), mutex_owner(this->m) == curthread);
	this->l->count.counter = (1 << 63) | 1; this->m->owner.counter = (long)curthread->real_parent | 4;
	printf("%d%d%d %d%d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l),
	    mutex_owned(this->m), mutex_owner(this->m) == curthread->real_parent);
	printf("%d%d\n", mutex_type_adaptive(this->m), mutex_type_spin(this->m));
	exit(0);
}
