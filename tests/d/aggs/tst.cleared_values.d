/* Values that were cleared are 0. @@flags -q */
BEGIN
{
	@a = avg(5); @b = stddev(5); @c = max(-4); @d = min(4); @e = sum(1); @f = count(); clear(@a); clear(@b); clear(@c); clear(@d); clear(@e); clear(@f);
	exit(0);
}
