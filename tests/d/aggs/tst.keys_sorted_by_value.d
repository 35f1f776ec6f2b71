/* At the end, aggregations are printed in ascending order of their values. @@flags -q */
BEGIN
{
	@["three", 3] = sum(3);
	@["one", 1] = sum(1);
	@["two", 2] = sum(2);
	exit(0);
}
