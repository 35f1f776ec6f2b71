/* Structures as elements keep all members. @@flags -q */
struct point {
	int x;
	int64_t y;
};

struct point v;

BEGIN
{
	v.x = -1;
	v.y = 7000000000;
	a["k"] = v;
	self->a[1] = v;
	v.x = 0;
}

BEGIN
{
	printf("%d %d %d %d %d\n", a["k"].x, a["k"].y, self->a[1].x, self->a[1].y, a["none"].y);
	exit(0);
}
