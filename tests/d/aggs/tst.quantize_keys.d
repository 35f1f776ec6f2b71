/* Keys stand before the heading. @@flags -q */
BEGIN
{
	@["b", 2] = quantize(8); @["a", 1] = quantize(1);
	exit(0);
}
