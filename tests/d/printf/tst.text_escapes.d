/* Escapes of strings and characters; unknown ones keep the backslash. @@flags -q */
BEGIN
{
	printf("a\tb\\c\"d\101\x42\n");
	printf("\q\n");
	printf("%d %d %x %d\n", '\'', '\q', 'ab', '\\');
	exit(0);
}
