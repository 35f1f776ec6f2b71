/* A fault discards what its clause recorded; variables set before it stay. @@flags -q */
BEGIN
{
	x = 1;
	printf("lost\n");
	y = *(int *)0;
	x = 2;
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
