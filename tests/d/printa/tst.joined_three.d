/* Three aggregations of different functions. @@flags -q */
BEGIN
{
	@c["x"] = count(); @a["x"] = avg(10); @a["x"] = avg(20); @m["x"] = max(7);
	@c["y"] = count(); @c["y"] = count();
	printa("%s %@d %@d %@d\n", @c, @a, @m);
	exit(0);
}
