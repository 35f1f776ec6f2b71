/* Sizes with all suffixes. @@flags -q -x strsize=1k -x bufsize=1m -x aggsize=512K -x dynvarsize=2M */
BEGIN
{
	printf("%d\n", 5);
	exit(0);
}
