/*
 * Aggregations are joined by what their keys are, however each stores them: here a component is a field of the probe in one and
 * any string in the other, and an integer is of another size. @@flags -q
 */
BEGIN
{
	this->n = (int)-7; this->long = (int64_t)-7;
	@count[probename, execname, this->n] = count();
	@last[probename, execname, this->long] = max(5);
	@last["----------------------------", "---", this->long] = max(4);
	printa("%@d %@d %s %s %d\n", @last, @count);
	exit(0);
}
