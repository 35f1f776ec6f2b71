/* Parts between delimiters; the place is kept over the clauses of a firing. @@flags -q */
BEGIN
{
	printf("[%s] ", strtok(",,one,two;three;;four", ",;"));
	printf("[%s] ", strtok(NULL, ",;"));
}

BEGIN
{
	printf("[%s] ", strtok(NULL, ";"));
	printf("[%s] ", strtok(NULL, ",;"));
	printf("%d\n", strtok(NULL, ",;") == NULL);
	exit(0);
}
