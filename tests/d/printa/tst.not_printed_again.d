/* What printa() printed is not printed at the end. @@flags -q */
BEGIN
{
	@a = count(); @b = count();
	printa("%@d\n", @a);
	exit(0);
}
