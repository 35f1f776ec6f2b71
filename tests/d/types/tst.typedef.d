/* Names for types. @@flags -q */
typedef unsigned char number;
typedef struct point { int x; int y; } point_t;

BEGIN
{
	x = (number)300; this->p = (point_t *)alloca(sizeof (point_t));
	this->p->x = 3; this->p->y = 4;
	printf("%d %d %d\n", x, this->p->x * this->p->y, sizeof (point_t));
	exit(0);
}
