/* Bars round to the nearest of 40 columns. @@flags -q */
BEGIN
{
	@ = quantize(1, 1); @ = quantize(2, 1); @ = quantize(4, 1); @ = quantize(8, 78); @ = quantize(16, 79);
	exit(0);
}
