/* Major and minor number of a kernel device number, which has 20 bits of minor. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", getmajor(0x800001), getminor(0x800001), getmajor(0xfff00000), getminor(0xfffff));
	exit(0);
}
