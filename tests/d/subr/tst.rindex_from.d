/* Not after a place; places outside. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", rindex("hello", "l", 2), rindex("hello", "l", 1), rindex("hello", "h", -1), rindex("hello", "", -1));
	printf("%d %d %d %d\n", rindex("hello", "o", 99), rindex("hello", "", 99), rindex("hello", "h", 0), rindex("hello", "", 2));
	exit(0);
}
