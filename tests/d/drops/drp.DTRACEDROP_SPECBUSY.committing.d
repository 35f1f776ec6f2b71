/* A speculation that is being committed is not yet free. @@flags -q */
BEGIN
{
	i = speculation();
	commit(i);
}

BEGIN
{
	j = speculation();
	exit(0);
}
