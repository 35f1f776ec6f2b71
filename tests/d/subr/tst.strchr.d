/* The rest of a string from a character on. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", strchr("hello", 'l'), strrchr("hello", 'l'), strchr("hello", 'h'), strrchr("hello", 'o'));
	printf("[%s] [%s]\n", strchr("a/b/c", '/'), strrchr("a/b/c", '/'));
	exit(0);
}
