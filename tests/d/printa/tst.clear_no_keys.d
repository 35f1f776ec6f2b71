/* Without keys, too. @@flags -q */
BEGIN
{
	@ = sum(7);
	@c = count();
	@v = avg(9);
	clear(@);
	clear(@c);
	clear(@v);
}

tick-1ms
{
	@ = sum(2);
	@c = count();
	@v = avg(3);
	printa("%@d %@d %@d", @, @c, @v);
	exit(0);
}
