/* Any number but 0 is true. @@flags -q */
BEGIN
{
	x = 5;
	y = 0;
	z = -1;
}

BEGIN
/x/
{
	printf("x ");
}

BEGIN
/y/
{
	printf("y ");
}

BEGIN
/z/
{
	printf("z ");
}

BEGIN
/!y/
{
	printf("not-y ");
}

BEGIN
/x && y/
{
	printf("both ");
}

BEGIN
/x || y/
{
	printf("one ");
}

BEGIN
/x == 5 && z < 0/
{
	printf("eq ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
