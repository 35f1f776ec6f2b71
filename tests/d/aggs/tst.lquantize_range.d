/* Linear steps; values outside have buckets of their own. @@flags -q */
BEGIN
{
	@ = lquantize(-5, 0, 10, 2); @ = lquantize(3, 0, 10, 2); @ = lquantize(2, 0, 10, 2); @ = lquantize(10, 0, 10, 2);
	exit(0);
}
