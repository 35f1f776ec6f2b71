/* Conversions of negative sums. @@flags -q */
BEGIN
{
	@s = sum(-1); printa("%@d %@u %@x\n", @s);
	exit(0);
}
