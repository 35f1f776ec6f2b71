/* Bytes above 127 are kept. @@flags -q */
BEGIN
{
	s = "caf\xc3\xa9";
	printf("%s %d\n", s, strlen(s));
	exit(0);
}
