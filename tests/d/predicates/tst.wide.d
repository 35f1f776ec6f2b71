/* All 64 bits count. @@flags -q */
BEGIN
{
	x = 4294967296;
}

BEGIN
/x/
{
	printf("x ");
}

BEGIN
/(int)x/
{
	printf("cast ");
}

BEGIN
/x > 1/
{
	printf("gt ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
