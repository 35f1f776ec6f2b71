/* speculate() alone records the line of its probe; commit() and discard() record nothing. @@flags -x nspec=2 */
BEGIN
{
	i = speculation();
}

BEGIN
{
	speculate(i);
}

BEGIN
{
	speculate(i);
	trace(i);
}

BEGIN
{
	commit(i);
}

BEGIN
{
	discard(i);
	exit(0);
}
