/* Steps of 20 in orders of 10. @@flags -q */
BEGIN
{
	@ = llquantize(15, 10, 1, 2, 20); @ = llquantize(123, 10, 1, 2, 20);
	exit(0);
}
