/* Strings in predicates. @@flags -q */
BEGIN
{
	s = "text";
}

BEGIN
/s == "text"/
{
	printf("eq ");
}

BEGIN
/s != "text"/
{
	printf("ne ");
}

BEGIN
/strlen(s) == 4/
{
	printf("len ");
}

BEGIN
/strstr(s, "ex") != NULL/
{
	printf("has ");
}

BEGIN
/probename == "BEGIN"/
{
	printf("name ");
}

BEGIN
{
	printf("\n");
	exit(0);
}
