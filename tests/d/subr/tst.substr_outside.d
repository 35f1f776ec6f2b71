/* Outside there is nothing. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", substr("hello", 5), substr("hello", 9), substr("hello", 0, 0), substr("hello", 0, -5));
	printf("[%s] [%s] [%s] [%s]\n", substr("hello", 0, -9), substr("hello", 9, 2), substr("", 0), substr("", 0, 3));
	printf("[%s] [%s]\n", substr("hello", -7, 3), substr("hello", -9, 3));
	exit(0);
}
