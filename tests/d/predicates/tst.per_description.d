/* Several descriptions, one predicate. @@flags -q */
BEGIN, END
/probename == "END"/
{
	printf("%s\n", probename);
}

BEGIN
{
	exit(0);
}
