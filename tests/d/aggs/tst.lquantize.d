/* @@flags -q */
BEGIN
{
	@ = lquantize(-5, 0, 10, 2);
	@ = lquantize(3, 0, 10, 2);
	@ = lquantize(3, 0, 10, 2);
	@ = lquantize(100, 0, 10, 2);
	exit(0);
}
