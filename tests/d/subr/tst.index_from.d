/* From a place on; places outside. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", index("hello", "l", 3), index("hello", "l", 4), index("hello", "h", -5), index("hello", "o", 5));
	printf("%d %d %d %d\n", index("hello", "o", 99), index("hello", "", 2), index("hello", "", 5), index("hello", "", 99));
	printf("%d\n", index("hello", "", -3));
	exit(0);
}
