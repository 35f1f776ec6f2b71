/* The last place of a string in another. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", rindex("hello", "l"), rindex("hello", "he"), rindex("hello", "z"), rindex("hello", ""));
	printf("%d %d %d %d\n", rindex("", ""), rindex("", "a"), rindex("aXbXc", "X"), rindex("hello", "hello!"));
	exit(0);
}
