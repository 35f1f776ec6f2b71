/* Strings take a width and a precision; a precision of 0 counts for nothing. @@flags -q */
BEGIN
{
	printf("[%s] [%10s] [%-10s]\n", "abc", "abc", "abc");
	printf("[%.2s] [%5.2s] [%-5.2s] [%.0s] [%.9s]\n", "abc", "abc", "abc", "abc", "abc");
	printf("[%s] [%3s]\n", "", "");
	printf("%-24.24s|\n", "a text of more than twenty-four");
	exit(0);
}
