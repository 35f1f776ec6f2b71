/* Time goes on between firings and stands still within one. @@flags -q */
int n, backwards, moved;
uint64_t last;

tick-1ms
{
	this->t = timestamp;
	this->w = walltimestamp;
	backwards += last >= this->t;
	moved += this->t != timestamp || this->w != walltimestamp;
	last = timestamp;
	n++;
}

tick-1ms
/n == 50/
{
	printf("%d %d\n", backwards, moved);
	exit(0);
}

BEGIN
{
	last = timestamp;
}
