/* @@flags -q */
BEGIN
{
	@a["x"] = sum(10);
	@a["y"] = sum(20);
	@a["z"] = sum(30);
	normalize(@a, 10);
	printa("%s %@d\n", @a);
	trunc(@a, 1);
	printa("%s %@d\n", @a);
	denormalize(@a);
	printa("%s %@d\n", @a);
	clear(@a);
	printa("%s %@d\n", @a);
	trunc(@a);
	exit(0);
}
