/* An enumerator is traced as its number. @@flags -q */
enum colour { RED = 1, BLUE = 7 };

BEGIN
{
	trace(BLUE); trace((enum colour)1);
	exit(0);
}
