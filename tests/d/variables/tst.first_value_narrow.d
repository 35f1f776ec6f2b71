/*
 * A variable without declaration holds the widest integer that it is given anywhere, not just its first. @@flags -q
 */
BEGIN
{
	x = 0; self->x = 0; this->x = 0; last["a"] = 0; total = 0; small = 0;
}
BEGIN
{
	x = timestamp; self->x = timestamp; this->x = timestamp; last["b"] = timestamp; total += 5000000000; small = small + 1;
	this->t = timestamp;
	printf("%d %d %d %d ", this->t - x < 1000000000, this->t - self->x < 1000000000, this->t - this->x < 1000000000,
	    this->t - last["b"] < 1000000000);
	printf("%d %d %d\n", total, sizeof (x), sizeof (small));
	exit(0);
}
