/* An enumerator is a key by its number. @@flags -q */
enum colour { RED = 1, BLUE = 7 };

BEGIN
{
	@[BLUE] = count(); @b[(enum colour)1] = count();
	exit(0);
}
