/* A predicate may be what creates a variable. @@flags -q */
BEGIN
/++x/
{
	printf("%d\n", x);
	exit(0);
}
