/* Arrays of characters become strings. @@flags -q */
struct s { char c[4]; };
struct s v;

BEGIN
{
	v.c[0] = 'h'; v.c[1] = 'i'; v.c[2] = 0; v.c[3] = 'x';
	s = stringof(v.c);
	printf("%s %d %s %d\n", s, strlen(s), v.c, v.c == "hi");
	exit(0);
}
