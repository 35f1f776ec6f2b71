/* A probe that the kernel cannot show is refused with what it lacks. @@flags -e -xwithout=sched_exit_tp */
sched:::remain-cpu
{
}
