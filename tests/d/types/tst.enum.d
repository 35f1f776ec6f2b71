/* Enumerators are constants. @@flags -q */
enum colour { RED, BLUE = 5, GREEN };

BEGIN
{
	x = BLUE; y = (enum colour)0;
	printf("%d %d %d %d %d %d\n", RED, BLUE, GREEN, x, y, x == BLUE);
	printf("%d\n", BLUE + 1);
	exit(0);
}
