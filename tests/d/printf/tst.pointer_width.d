/* The flag ? makes room for a pointer. @@flags -q */
BEGIN
{
	printf("[%?x]\n", 0xff);
	printf("[%?p]\n", 0xabcdef);
	printf("[%-?x]\n", 0xff);
	exit(0);
}
