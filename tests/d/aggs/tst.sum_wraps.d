/* Sums wrap as 64-bit integers do. @@flags -q */
BEGIN
{
	@ = sum(9223372036854775807); @ = sum(1);
	exit(0);
}
