/* The value may stand first. @@flags -q */
BEGIN
{
	@["k"] = sum(5); printa("%@d %s\n", @);
	exit(0);
}
