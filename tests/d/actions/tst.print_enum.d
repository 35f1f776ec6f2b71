/* print() names enumerators and shows other values as numbers. @@flags -q */
enum colour { RED, BLUE };

BEGIN
{
	print((enum colour)1); printf("\n");
	print((enum colour)9); printf("\n");
	exit(0);
}
