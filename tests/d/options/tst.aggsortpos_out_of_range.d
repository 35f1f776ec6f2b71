/* A position that does not exist is the first. @@flags -q -x aggsortpos=7 */
BEGIN
{
	@a["x"] = sum(5); @a["y"] = sum(1);
	@b["x"] = sum(2); @b["y"] = sum(9);
	printa("%s ", @a, @b);
	exit(0);
}
