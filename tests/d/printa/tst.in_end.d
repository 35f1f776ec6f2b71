/* END prints and truncates what was gathered. @@flags -q */
BEGIN
{
	@a["x"] = sum(5);
	@a["y"] = sum(3);
	@b["z"] = count();
	exit(0);
}

END
{
	printa("%s %@d\n", @a);
	trunc(@a, 1);
	printa("%s %@d\n", @a);
	trunc(@b);
}
