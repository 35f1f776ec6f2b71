/* NULL if there is none. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", strstr("hello", "z") == NULL, strstr("hello", "hello!") == NULL, strstr("", "a") == NULL, strstr("hello", "el") == NULL);
	exit(0);
}
