/* Values are divided towards zero when printed, and only then. @@flags -q */
BEGIN
{
	@["a"] = sum(10);
	@["b"] = sum(25);
	@["c"] = sum(-25);
	normalize(@, 10);
	printa("%s %@d ", @);
	denormalize(@);
	printa("%@d ", @);
	exit(0);
}
