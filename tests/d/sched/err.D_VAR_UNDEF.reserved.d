/* Names of the providers' own variables are not for programs. @@flags -e */
sched:::off-cpu
{
	self->__dt_since = timestamp;
}
