/* stddev() is the whole root of the variance. @@flags -q */
BEGIN
{
	@a = stddev(1); @a = stddev(5); @a = stddev(9); @b = stddev(7); @c = stddev(-10); @c = stddev(10);
	exit(0);
}
