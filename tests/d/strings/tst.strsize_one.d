/* With room for the NUL only, strings are empty. @@flags -q -x strsize=1 */
BEGIN
{
	s = "text";
	printf("[%s] %d\n", s, strlen(s));
	exit(0);
}
