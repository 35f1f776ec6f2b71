/* Conversions with a size, of exactly that type. @@flags -q */
BEGIN
{
	printf("%hi %ho %hx\n", (short)-5, (unsigned short)8, (short)-1);
	printf("%li %lli %llo %llX\n", (long)-6, (long long)-7, (unsigned long long)64, (unsigned long long)0xabcdef);
	printf("%'d\n", 1234567);
	exit(0);
}
