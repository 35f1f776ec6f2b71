/* What was never assigned is 0 or empty. @@flags -q */
int g;
string gs;
self int i;
self string s;
int a[int];
string as[int];
int *p;

BEGIN
{
	printf("%d [%s] %d [%s] %d [%s] %d\n", g, gs, self->i, self->s, a[1], as[1], p == NULL);
	exit(0);
}
