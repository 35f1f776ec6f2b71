/* Values below and above all orders. @@flags -q */
BEGIN
{
	@ = llquantize(0, 10, 1, 2, 10); @ = llquantize(1000, 10, 1, 2, 10);
	exit(0);
}
