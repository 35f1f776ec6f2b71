/* exit() in BEGIN: nothing else fires but END; the rest of the clause, and later clauses of BEGIN, run. @@flags -q
 * @@status 3
 */
BEGIN
{
	printf("1 ");
	exit(3);
	printf("2 ");
}

BEGIN
{
	printf("3 ");
}

tick-1ms,
profile-1ms,
syscall:::entry
{
	printf("never ");
}

END
{
	printf("end\n");
}
