/* What a longer key leaves behind is no part of a shorter one. @@flags -q */
BEGIN
{
	x = "longer"; @[x] = count(); x = "s"; @[x] = count(); x = "longer"; @[x] = count(); x = "s"; @[x] = count(); @["s"] = count();
	exit(0);
}
