/* Only what is used is shown, and one more on either side. @@flags -q */
BEGIN
{
	@ = lquantize(50, 0, 100, 10);
	exit(0);
}
