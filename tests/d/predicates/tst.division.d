/* Divisions inside a predicate, with and without parentheses. @@flags -q */
BEGIN
{
	x = 10;
}

BEGIN
/x / 2 == 5/
{
	printf("five ");
}

BEGIN
/(x / 2) / 5/
{
	printf("one ");
}

BEGIN
/x % 3 == 1/
{
	printf("rest ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
