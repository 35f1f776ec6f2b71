/* Sizes of types and expressions. @@flags -q */
struct s { char a; long b; short c; };
union u { int i; char c[8]; };
enum e { A };

BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof (char), sizeof (short), sizeof (int), sizeof (long), sizeof (long long), sizeof (void *));
	printf("%d %d %d %d\n", sizeof (struct s), sizeof (union u), sizeof (enum e), sizeof (int[7]));
	printf("%d %d %d\n", sizeof (string), sizeof (size_t), sizeof (pid_t));
	printf("%d %d\n", sizeof (((struct s *)0)->b), sizeof (uint64_t));
	exit(0);
}
