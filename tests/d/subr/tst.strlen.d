/* Length without the NUL. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", strlen(""), strlen("a"), strlen("hello"), strlen("a\0b"));
	exit(0);
}
