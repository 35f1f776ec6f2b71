/* Increments before and after, of all kinds of variables. @@flags -q */
BEGIN
{
	this->x = 5; self->y = 5;
	printf("%d %d %d %d\n", g++, ++g, g--, --g);
	printf("%d %d %d\n", this->x++, ++this->x, this->x);
	printf("%d %d %d\n", self->y--, --self->y, self->y);
	printf("%d %d %d\n", a["k"]++, ++a["k"], a["k"]);
	printf("%d %d\n", self->z[1]++, self->z[1]);
	exit(0);
}
