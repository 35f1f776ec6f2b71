/* Several in a clause write one after the other. @@flags -q */
BEGIN
{
	printf("one ");
	printf("two ");
	printf("%s\n", "three");
	exit(0);
}
