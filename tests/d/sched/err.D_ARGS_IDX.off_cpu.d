/* off-cpu has two arguments. @@flags -e */
sched:::off-cpu
{
	trace(args[2]);
}
