/* Clauses of one probe run in the order of the text; END comes last. @@flags -q */
BEGIN
{
	printf("one\n");
}

END
{
	printf("end\n");
}

BEGIN
{
	printf("two\n");
	exit(0);
}
