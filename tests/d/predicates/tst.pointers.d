/* NULL is false. @@flags -q */
int *p;
int *q;

BEGIN
{
	p = (int *)4096;
}

BEGIN
/p/
{
	printf("set ");
}

BEGIN
/q/
{
	printf("unset ");
}

BEGIN
/q == NULL/
{
	printf("null ");
}

BEGIN
/p != NULL/
{
	printf("notnull ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
