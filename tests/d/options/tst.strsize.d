/* Strings are cut to strsize, NUL included. @@flags -q -x strsize=8 */
BEGIN
{
	s = "0123456789";
	printf("%s\n", s);
	exit(0);
}
