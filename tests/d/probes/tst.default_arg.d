/* Arguments that a probe does not have read as 0. @@flags -q */
BEGIN
{
	printf("%d %d %d\n", arg0, arg5, arg9);
	exit(0);
}
