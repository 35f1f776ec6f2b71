/* %c prints a byte, %C its C escape. @@flags -q */
BEGIN
{
	printf("[%c] [%3c] [%-3c]\n", 'x', 'y', 'z');
	printf("[%c%c]\n", 72, (char)105);
	printf("[%C%C%C]\n", '\n', 'a', '\t');
	exit(0);
}
