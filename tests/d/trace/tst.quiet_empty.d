/* Clauses that only have the default action print nothing with -q. @@flags -q */
BEGIN
{
}

BEGIN
{
	trace("");
	exit(0);
}
