/* Histograms without counts show a few buckets. @@flags -q */
BEGIN
{
	@a["q"] = quantize(5); @b["l"] = lquantize(5, 0, 10, 1); @c["ll"] = llquantize(5, 10, 0, 2, 10); clear(@a); clear(@b); clear(@c);
	exit(0);
}
