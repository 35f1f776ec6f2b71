/* Integer constants: bases, suffixes, types. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", 10, 010, 0x10, 0XfF);
	printf("%d %d %d\n", sizeof (1), sizeof (1L), sizeof (4294967296));
	printf("%d %d %d\n", sizeof (2147483648), sizeof (0xffffffff), sizeof (1ULL));
	printf("%d %d\n", 0xffffffff, 0xffffffffffffffff);
	printf("%d %d\n", 4294967295U, 18446744073709551615ULL);
	exit(0);
}
