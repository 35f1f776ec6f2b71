/* The second argument is what a value counts for. @@flags -q */
BEGIN
{
	@ = quantize(4, 10); @ = quantize(9, 30);
	exit(0);
}
