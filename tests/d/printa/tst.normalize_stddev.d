/* Deviations are divided as their values would be. @@flags -q */
BEGIN
{
	@ = stddev(10); @ = stddev(30); normalize(@, 2); printa("%@d\n", @);
	exit(0);
}
