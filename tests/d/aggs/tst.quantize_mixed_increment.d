/* With counts of both signs the middle is zero. @@flags -q */
BEGIN
{
	@ = quantize(4, -10); @ = quantize(9, 30);
	exit(0);
}
