/* No delimiters, only delimiters, nothing. @@flags -q */
BEGIN
{
	printf("[%s] %d\n", strtok("word", ","), strtok(NULL, ",") == NULL);
	printf("%d %d [%s]\n", strtok(",,,", ",") == NULL, strtok("", ",") == NULL, strtok("a b", ""));
	exit(0);
}
