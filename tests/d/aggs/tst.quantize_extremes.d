/* The largest and smallest 64-bit values. @@flags -q */
BEGIN
{
	@a = quantize(9223372036854775807); @b = quantize(-9223372036854775807 - 1);
	exit(0);
}
