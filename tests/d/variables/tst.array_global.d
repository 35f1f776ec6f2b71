/* An array of fixed size. @@flags -q */
int a[4];

BEGIN
{
	a[0] = 1; a[3] = 4; this->i = 2; a[this->i] = 3; a[this->i - 1] = a[0] + 1;
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], sizeof (a));
	exit(0);
}
