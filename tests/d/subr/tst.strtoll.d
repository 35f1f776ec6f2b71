/* Text as numbers, as C reads them. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", strtoll("42"), strtoll("-42"), strtoll("+7"), strtoll("  12"));
	printf("%d %d %d %d\n", strtoll("12abc"), strtoll("abc"), strtoll(""), strtoll("0x1f"));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	exit(0);
}
