/* Actions are typed before the predicate. @@flags -q */
BEGIN
/x == 0/
{
	x++;
	printf("%d\n", x);
	exit(0);
}
