/* The base may be negative. @@flags -q */
BEGIN
{
	@ = lquantize(-7, -10, 10, 5); @ = lquantize(-10, -10, 10, 5); @ = lquantize(0, -10, 10, 5, 3);
	exit(0);
}
