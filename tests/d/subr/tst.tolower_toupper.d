/* ASCII letters only. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s]\n", tolower("Hello, WORLD [1]"), toupper("Hello, world {1}"), tolower(""));
	exit(0);
}
