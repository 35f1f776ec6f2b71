/*
 * What is negated before anything was assigned to it is 0, and holds 64 bits. @@flags -q
 */
BEGIN
/!pending["a"] && !self->busy && !this->here && ~last[1] == -1/
{
	printf("nothing ");
}

BEGIN
{
	pending["a"]++; self->busy = 1; this->here = 1; last[1] = timestamp;
}

BEGIN
/!pending["a"] || !self->busy || !this->here/
{
	printf("wrong ");
}

BEGIN
{
	printf("%d %d %d\n", pending["a"], sizeof (self->busy), last[1] == 0);
	exit(0);
}
