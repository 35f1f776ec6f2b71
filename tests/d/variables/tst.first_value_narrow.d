/*
 * A variable without declaration, and an array declared of int, hold the widest integer that they are given anywhere. @@flags -q
 */
int place[string];
self int block[int];

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
	place["a"] = this->t; self->block[1] = this->t;
	printf("%d %d\n", place["a"] == this->t, self->block[1] == this->t);
	exit(0);
}
