/* Negative values have buckets of their own. @@flags -q */
BEGIN
{
	@ = quantize(-1); @ = quantize(-3); @ = quantize(-4); @ = quantize(0);
	exit(0);
}
