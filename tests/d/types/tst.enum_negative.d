/* Enumerators may be negative. @@flags -q */
enum level { LOW = -2, NEXT };

BEGIN
{
	x = LOW;
	printf("%d %d %d\n", LOW, NEXT, x < 0);
	exit(0);
}
