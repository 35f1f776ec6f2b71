/* Counts of a histogram are divided; bars stay. @@flags -q */
BEGIN
{
	@ = quantize(4, 100); @ = quantize(8, 300);
	normalize(@, 100);
	printa(@);
	exit(0);
}
