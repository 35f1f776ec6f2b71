/* Thread-local strings: assign, compare, free. @@flags -q */
BEGIN
{
	self->s = "text";
	self->n = 5;
}

BEGIN
/self->s == "text"/
{
	printf("%s %d %d\n", self->s, self->s == NULL, self->n);
	self->s = 0;
	self->n = 0;
}

BEGIN
/self->s == NULL/
{
	printf("[%s] %d\n", self->s, self->n);
	exit(0);
}
