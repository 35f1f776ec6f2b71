/* Least and greatest begin anew. @@flags -q */
BEGIN
{
	@lo = min(-5);
	@hi = max(50);
	clear(@lo);
	clear(@hi);
}

tick-1ms
{
	@lo = min(7);
	@hi = max(6);
	printa("%@d %@d", @lo, @hi);
	exit(0);
}
