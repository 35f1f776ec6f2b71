/* A predicate may change variables, even if it is false. @@flags -q */
int n;

BEGIN
/n++/
{
	printf("first ");
}

BEGIN
/n++/
{
	printf("second ");
}

BEGIN
/n == 2/
{
	printf("two ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
