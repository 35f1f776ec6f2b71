/* Linear steps within each order of magnitude. @@flags -q */
BEGIN
{
	@ = llquantize(5, 10, 0, 3, 10); @ = llquantize(55, 10, 0, 3, 10); @ = llquantize(555, 10, 0, 3, 10);
	exit(0);
}
