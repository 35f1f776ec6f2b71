/* Squares do not overflow. @@flags -q */
BEGIN
{
	@ = stddev(4000000000000000000); @ = stddev(-4000000000000000000);
	exit(0);
}
