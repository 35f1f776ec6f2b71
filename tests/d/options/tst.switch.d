/* The policy of buffers that there is. @@flags -q -x bufpolicy=switch */
BEGIN
{
	printf("%d\n", 5);
	exit(0);
}
