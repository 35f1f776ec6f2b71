/* Constant predicates. @@flags -q */
BEGIN
/1/
{
	printf("one ");
}

BEGIN
/0/
{
	printf("zero ");
}

BEGIN
/1 - 1/
{
	printf("none ");
}

BEGIN
/!0/
{
	printf("not ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
