/* Places of members. @@flags -q */
struct s { char a; long b; short c; int d; };

BEGIN
{
	printf("%d %d %d %d\n", offsetof(struct s, a), offsetof(struct s, b), offsetof(struct s, c), offsetof(struct s, d));
	exit(0);
}
