/* An assignment has the value that was stored. @@flags -q */
BEGIN
{
	x = y = 7;
	printf("%d %d %d %d\n", x, y, z = 3, (z = 4) + 1);
	a = 1, b = 2;
	printf("%d %d\n", a, b);
	exit(0);
}
