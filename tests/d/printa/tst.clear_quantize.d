/* Histograms become empty and fill again. @@flags -q */
BEGIN
{
	@ = quantize(4);
	clear(@);
}

tick-1ms
{
	@ = quantize(16);
	printa(@);
	exit(0);
}
