/* Averages and deviations are numbers in a format. @@flags -q */
BEGIN
{
	@a = avg(10); @a = avg(15); @d = stddev(1); @d = stddev(5); @d = stddev(9);
	printa("%@d ", @a); printa("%@5d|", @d); printa("%@x\n", @a);
	exit(0);
}
