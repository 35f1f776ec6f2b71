/* Joined by key; missing values are 0; sorted by the first. @@flags -q */
BEGIN
{
	@a["x"] = sum(5); @a["y"] = sum(1);
	@b["y"] = min(9); @b["z"] = min(-4);
	printa("%s %@d %@d\n", @a, @b);
	printa(@a, @b);
	exit(0);
}
