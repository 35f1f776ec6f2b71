/* Aggregations follow the order of the text, without blank lines. @@flags -q */
BEGIN
{
	@z["k"] = count(); @y[5] = sum(3); @ = count();
	exit(0);
}
