/* Counts below zero are drawn to the left. @@flags -q */
BEGIN
{
	@ = quantize(4, -10); @ = quantize(9, -30);
	exit(0);
}
