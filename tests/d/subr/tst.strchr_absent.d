/* NULL if there is none. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", strchr("hello", 'z') == NULL, strrchr("hello", 'z') == NULL, strchr("", 'a') == NULL, strchr("hello", 'e') == NULL);
	exit(0);
}
