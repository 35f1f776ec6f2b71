/* A clause that is not entered records and aggregates nothing. @@flags -q */
BEGIN
/0 == 1/
{
	@ = count();
	x = 5;
	printf("never");
	exit(1);
}

BEGIN
{
	printf("%d\n", x);
	exit(0);
}
