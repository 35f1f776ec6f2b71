/* Text of other bases. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", strtoll("1f", 16), strtoll("0x1F", 16), strtoll("077", 8), strtoll("zz", 36));
	printf("%d %d\n", strtoll("102", 2), strtoll("-ff", 16));
	exit(0);
}
