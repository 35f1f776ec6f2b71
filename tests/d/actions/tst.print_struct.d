/* print() of a structure: a member a line. @@flags -q */
enum colour { RED, BLUE };
struct point { int x; };
struct shape { char name[4]; int n; enum colour colour; struct point where; short list[2]; };
struct shape v;

BEGIN
{
	v.name[0] = 'a'; v.name[1] = 'b';
	v.n = 5;
	v.colour = BLUE;
	v.where.x = 7;
	v.list[0] = 1; v.list[1] = 2;
	print(v);
	printf("\n");
	exit(0);
}
