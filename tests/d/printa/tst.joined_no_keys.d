/* Aggregations without keys join, too. @@flags -q */
BEGIN
{
	@a = sum(5); @b = count(); printa("%@d/%@d\n", @a, @b);
	exit(0);
}
