/* A structure behind a pointer. @@flags -q */
struct s { char a; int b; char c[3]; };

BEGIN
{
	this->p = (struct s *)alloca(sizeof (struct s));
	this->p->a = -5; this->p->b = 70000; this->p->c[1] = 'x';
	printf("%d %d %c\n", this->p->a, (*this->p).b, this->p->c[1]);
	this->q = &this->p->b;
	*this->q = 8;
	printf("%d\n", this->p->b);
	exit(0);
}
