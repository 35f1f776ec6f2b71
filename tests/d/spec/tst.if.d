/* speculate() holds for the rest of its clause, through if and else. @@flags -q */
BEGIN
{
	i = speculation();
	x = 1;
}

BEGIN
{
	speculate(i);
	if (x) {
		printf("then\n");
	} else {
		printf("else\n");
	}
	printf("both\n");
}

BEGIN
/x == 1/
{
	if (x == 2) {
		speculate(i);
		printf("not here\n");
	}
	printf("principal\n");
}

BEGIN
{
	commit(i);
}

BEGIN
{
	exit(0);
}
