/* avg() divides towards zero. @@flags -q */
BEGIN
{
	@a = avg(1); @a = avg(2); @b = avg(-3); @b = avg(-4); @c = avg(10); @c = avg(20); @c = avg(31);
	exit(0);
}
