/* More %@ than aggregations repeat the last. @@flags -q */
BEGIN
{
	@a["k"] = sum(1); @b["k"] = sum(2);
	printa("%s %@d %@d %@d\n", @a, @b);
	exit(0);
}
