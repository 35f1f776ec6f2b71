/* Options in the text hold for all of it. @@flags -q */
#pragma D option strsize=5

BEGIN
{
	s = "0123456789"; printf("%s %d\n", s, sizeof (string));
	exit(0);
}
