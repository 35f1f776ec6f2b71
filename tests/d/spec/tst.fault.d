/* An id that cannot be is a fault of commit() and discard(); a fault in a speculating clause records nothing. @@flags -q */
BEGIN
{
	commit(2);
}

BEGIN
{
	discard(-1);
}

BEGIN
{
	i = speculation();
}

BEGIN
{
	speculate(i);
	printf("no\n");
	trace(*(int *)8);
}

BEGIN
{
	commit(i);
}

ERROR
{
	printf("fault %d in action %d\n", arg4, arg2);
}

BEGIN
{
	exit(0);
}
