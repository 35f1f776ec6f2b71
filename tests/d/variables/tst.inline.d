/* Inlines: constants, expressions, with parameters. @@flags -q */
int x;
inline int SIZE = 10;
inline string NAME = "text";
inline int twice = x * 2;
inline int add[int a, int b] = a + b;

BEGIN
{
	printf("%d %s %d %d\n", SIZE, NAME, twice, add[2, 3]);
	x = 5;
	printf("%d %d\n", twice, SIZE * 2);
	exit(0);
}
