/* Histograms sort by the weighted sum of their buckets. @@flags -q */
BEGIN
{
	@["large"] = quantize(1024); @["small"] = quantize(1, 3); @["middle"] = quantize(16, 2);
	exit(0);
}
