/* Any number. @@flags -q */
BEGIN
{
	x = rand(); y = rand(); z = rand();
	printf("%d %d\n", sizeof (rand()), x != y || y != z);
	exit(0);
}
