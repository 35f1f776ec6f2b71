/* Aggregations before a fault count, those after it do not. @@flags -q */
BEGIN
{
	@a = count();
	x = *(int *)0;
	@b = count();
}

BEGIN
{
	exit(0);
}
