/* Structures in thread, clause and array variables. @@flags -q */
struct s { int a; long b; };
struct s v;

BEGIN
{
	v.a = 1; v.b = 2;
	self->v = v; this->v = v; arr[1] = v;
	v.a = 100;
	printf("%d %d %d %d %d %d\n", self->v.a, self->v.b, this->v.a, this->v.b, arr[1].a, arr[1].b);
	exit(0);
}
