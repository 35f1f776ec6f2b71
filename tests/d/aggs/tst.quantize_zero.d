/* One value, zero. @@flags -q */
BEGIN
{
	@ = quantize(0);
	exit(0);
}
