/* Each clause is an enabling of its own. @@flags -q */
BEGIN, END
{
	printf("%s %d %d\n", probename, epid, id);
}

BEGIN
{
	printf("%s %d %d\n", probename, epid, id);
	exit(0);
}
