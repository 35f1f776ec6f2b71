/* A translator, of a value and of a pointer. @@flags -q */
struct in { int a; char b[4]; };
struct out { int more; string text; };
translator struct out < struct in *p > {
	more = p->a + 1;
	text = stringof(p->b);
};

BEGIN
{
	this->p = (struct in *)alloca(sizeof (struct in));
	this->p->a = 4; this->p->b[0] = 'h'; this->p->b[1] = 'i'; this->p->b[2] = '\0';
	printf("%d %s %d\n", xlate <struct out> (this->p).more, xlate <struct out *> (this->p)->text, xlate <struct out> (this->p).more * 2);
	exit(0);
}
