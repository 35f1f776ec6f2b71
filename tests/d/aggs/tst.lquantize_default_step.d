/* The step is 1 unless given. @@flags -q */
BEGIN
{
	@ = lquantize(2, 0, 5);
	exit(0);
}
