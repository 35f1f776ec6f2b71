/* There is one zone. @@flags -q */
BEGIN
{
	printf("%s\n", zonename);
	exit(0);
}
