/* What is recorded is the value when the statement ran. @@flags -q */
BEGIN
{
	x = 1; s = "a";
	printf("%d %s ", x, s);
	x = 2; s = "b";
	printf("%d %s ", x, s);
	trace(x++); printf(" %d\n", x);
	exit(0);
}
