/* @@flags -q */
BEGIN
{
	s = "abc";
	printf("%d %d %d %d\n", s == "abc", s != "abc", s < "abd", s > "b");
	printf("%d %s\n", strlen(s), strjoin(s, "def"));
	printf("%s %s\n", basename("/a/b/c"), dirname("/a/b/c"));
	printf("%s %d %d\n", substr("hello", 1, 3), index("hello", "l"), rindex("hello", "l"));
	exit(0);
}
