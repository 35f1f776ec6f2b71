/* %S escapes as C does, and shows the NUL that ends the string. @@flags -q */
BEGIN
{
	printf("%S\n", "a\nb");
	printf("%S\n", "tab\there");
	printf("%S\n", "");
	exit(0);
}
