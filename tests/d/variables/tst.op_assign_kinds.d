/* Operators assign to thread, clause and array variables, too. @@flags -q */
BEGIN
{
	self->x = 1; this->y = 2; a[1] = 3; self->b["k"] = 4;
	self->x += 10; this->y *= 10; a[1] -= 10; self->b["k"] <<= 2;
	printf("%d %d %d %d\n", self->x, this->y, a[1], self->b["k"]);
	exit(0);
}
