/* Keys that are strings: constants, variables, built-ins. @@flags -q */
BEGIN
{
	x = "var"; @[x] = sum(1); @["const"] = sum(2); @[probename] = sum(3); @[""] = sum(4);
	exit(0);
}
