/* @@flags -q */
BEGIN
/0/
{
	printf("never\n");
}

BEGIN
/1 == 1/
{
	printf("yes\n");
	exit(0);
}
