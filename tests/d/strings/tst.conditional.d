/* Strings chosen by a condition. @@flags -q */
BEGIN
{
	x = 1; s = "var";
	printf("%s %s %s\n", x ? "a" : "b", x == 2 ? s : "const", x ? s : "other");
	t = x > 0 ? "pos" : "neg";
	printf("%s\n", t);
	exit(0);
}
