/* Thread-local associative arrays. @@flags -q */
self int n[string];

BEGIN
{
	self->n["a"] = 1;
	self->n["b"] = 2;
	self->t[1, "x"] = "text";
}

BEGIN
{
	self->n["a"] += 10;
	printf("%d %d %d %s [%s]\n", self->n["a"], self->n["b"], self->n["c"], self->t[1, "x"], self->t[2, "x"]);
	self->n["a"] = 0;
	printf("%d %d\n", self->n["a"], self->n["b"]);
	exit(0);
}
