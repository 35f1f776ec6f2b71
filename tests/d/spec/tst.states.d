/* Ids that are not active: speculate() ends the clause, commit() and discard() do nothing. @@flags -q */
BEGIN
{
	speculate(0);
	n++;
	printf("zero\n");
}

BEGIN
{
	speculate(-1);
	n++;
	printf("negative\n");
}

BEGIN
{
	speculate(2);
	n++;
	printf("too large\n");
}

BEGIN
{
	speculate(1);
	n++;
	printf("inactive\n");
}

BEGIN
{
	commit(0);
	discard(0);
	discard(1);
}

BEGIN
{
	commit(1);
	i = speculation();
}

BEGIN
{
	speculate(i);
	n++;
	printf("gone\n");
}

BEGIN
{
	discard(i);
	j = speculation();
}

BEGIN
{
	printf("%d %d %d\n", n, i, j);
}

BEGIN
{
	speculate(j);
	printf("kept\n");
}

BEGIN
{
	commit(j);
}

BEGIN
{
	discard(j);
	exit(0);
}
