/* The last argument is what a value counts for. @@flags -q */
BEGIN
{
	@ = llquantize(7, 10, 0, 1, 10, 5);
	exit(0);
}
