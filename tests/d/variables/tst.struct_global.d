/* Structures as variables: members, copies. @@flags -q */
struct in { long c; };
struct s { int a; char b; struct in in; int list[3]; };
struct s v;
struct s w;

BEGIN
{
	v.a = 1; v.b = (char)'x'; v.in.c = 7000000000; v.list[2] = 9;
	w = v;
	v.a = 2;
	printf("%d %c %d %d %d %d\n", w.a, w.b, w.in.c, w.list[2], w.list[0], v.a);
	exit(0);
}
