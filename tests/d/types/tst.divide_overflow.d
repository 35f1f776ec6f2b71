/* The one quotient that does not fit wraps. @@flags -q */
BEGIN
{
	x = (int64_t)0x8000000000000000; y = (int64_t)-1; printf("%d %d\n", x / y, x % y);
	exit(0);
}
