/* A declared variable may be read before the clause that assigns it. @@flags -q */
int late;

BEGIN
{
	printf("%d\n", late);
}

BEGIN
{
	late = 1;
	printf("%d\n", late);
	exit(0);
}
