/* A predicate holds for all of the clause. @@flags -q */
BEGIN
/1/
{
	if (pid == $pid) {
		printf("in ");
	}
	printf("after ");
}

BEGIN
/0/
{
	if (1)
		printf("never");
}

BEGIN
{
	printf("\n");
	exit(0);
}
