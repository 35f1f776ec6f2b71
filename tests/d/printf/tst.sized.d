/* Sized conversions take exactly that type. @@flags -q */
BEGIN
{
	printf("%hd %ho %hu %hx %hX\n", (short)-7, (unsigned short)8, (unsigned short)65535, (unsigned short)255, (unsigned short)255);
	printf("%ld %lo %lu %lx %lX\n", (long)-7, (unsigned long)8, (unsigned long)-1, (unsigned long)255, (unsigned long)255);
	printf("%lld %llu %llx\n", (long long)-7, (unsigned long long)-1, (unsigned long long)255);
	exit(0);
}
