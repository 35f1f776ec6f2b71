/* Powers of two; one empty bucket on either side. @@flags -q */
BEGIN
{
	@ = quantize(1); @ = quantize(5); @ = quantize(6); @ = quantize(8);
	exit(0);
}
