/* What is committed comes out where commit() was called, in the order of its own time; the rest never does.
 * @@flags -q -x nspec=3 */
BEGIN
{
	a = speculation();
	b = speculation();
	c = speculation();
	printf("%d %d %d\n", a, b, c);
}

BEGIN
{
	speculate(a);
	printf("a: %s %d\n", "first", a);
}

BEGIN
{
	speculate(b);
	printf("b\n");
}

BEGIN
{
	speculate(a);
	printf("a: second\n");
}

BEGIN
{
	speculate(c);
	printf("never ended\n");
}

BEGIN
{
	printf("before\n");
}

BEGIN
{
	discard(b);
	commit(a);
}

BEGIN
{
	printf("after\n");
	exit(0);
}

END
{
	d = speculation();
	printf("%d\n", d);
}
