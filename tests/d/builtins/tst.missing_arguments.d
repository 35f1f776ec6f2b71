/* Arguments that the probe does not have are 0. @@flags -q */
BEGIN
{
	printf("%d%d%d%d%d%d%d%d%d%d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
	exit(0);
}
