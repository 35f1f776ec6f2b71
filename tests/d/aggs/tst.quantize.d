/* @@flags -q */
BEGIN
{
	@ = quantize(0);
	@ = quantize(1);
	@ = quantize(5);
	@ = quantize(6);
	@ = quantize(-1);
	exit(0);
}
