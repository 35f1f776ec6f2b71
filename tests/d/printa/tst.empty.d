/* Nothing aggregated, nothing printed. @@flags -q */
BEGIN
/0/
{
	@a = count();
}

BEGIN
{
	printa("never %@d\n", @a);
	exit(0);
}
