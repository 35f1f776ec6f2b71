/* The rest of a string from another on. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", strstr("hello", "ll"), strstr("hello", "hello"), strstr("hello", ""), strstr("", ""));
	printf("[%s] [%s]\n", strstr("aab", "ab"), strstr("hello", "o"));
	exit(0);
}
