/* Clauses share an aggregation. @@flags -q */
BEGIN
{
	@a["x"] = sum(10);
}

BEGIN
{
	@a["x"] = sum(100);
}

BEGIN
{
	@a["x"] = sum(1);
	exit(0);
}
