/* Strings where one begins with another are different keys. @@flags -q */
BEGIN
{
	a["a", "bc"] = 1; a["ab", "c"] = 2; a["abc", ""] = 3;
	x = "longer"; a[x, x] = 4; x = "l"; a[x, x] = 5;
	printf("%d %d %d %d %d %d\n", a["a", "bc"], a["ab", "c"], a["abc", ""], a["longer", "longer"], a["l", "l"], a["", "abc"]);
	exit(0);
}
