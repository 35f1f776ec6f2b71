/* Parts of a string; negative numbers count from the end. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", substr("hello", 1), substr("hello", 1, 3), substr("hello", 0, 99), substr("hello", 4));
	printf("[%s] [%s] [%s] [%s]\n", substr("hello", -3), substr("hello", -3, 2), substr("hello", 1, -1), substr("hello", 2, -2));
	printf("[%s]\n", substr("hello", -4, -1));
	exit(0);
}
