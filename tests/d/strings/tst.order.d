/* Strings compare as strcmp does. @@flags -q */
BEGIN
{
	s = "abc"; e = "";
	printf("%d%d%d%d%d%d ", s == "abc", s != "abc", s < "abd", s <= "abc", s > "abb", s >= "abd");
	printf("%d%d%d%d ", s < "abcd", s > "ab", e < s, e == "");
	printf("%d%d\n", "B" < "a", s < "\xff");
	exit(0);
}
