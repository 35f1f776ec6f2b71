/* @@flags -q */
BEGIN
{
	@c = count();
	@s = sum(5);
	@lo = min(5);
	@hi = max(5);
	@av = avg(5);
}

BEGIN
{
	@c = count();
	@s = sum(10);
	@lo = min(-3);
	@hi = max(10);
	@av = avg(10);
	printa("%@d\n", @c);
	printa("%@d\n", @s);
	printa("%@d\n", @lo);
	printa("%@d\n", @hi);
	printa("%@d\n", @av);
	exit(0);
}
