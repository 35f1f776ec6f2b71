/* One name in each scope. @@flags -q */
BEGIN
{
	x = 1;
	self->x = 2;
	this->x = 3;
	@x = sum(4);
	y[1] = 5;
	self->y[1] = 6;
	printf("%d %d %d %d %d ", x, self->x, this->x, y[1], self->y[1]);
	printa("%@d\n", @x);
	exit(0);
}
