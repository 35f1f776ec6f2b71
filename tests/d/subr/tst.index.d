/* The first place of a string in another. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", index("hello", "l"), index("hello", "lo"), index("hello", "z"), index("hello", "hello!"));
	printf("%d %d %d %d\n", index("hello", ""), index("", ""), index("", "a"), index("hello", "hello"));
	exit(0);
}
