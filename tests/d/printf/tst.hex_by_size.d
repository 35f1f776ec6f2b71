/* Unsigned conversions show as many bits as the type has. @@flags -q */
BEGIN
{
	printf("%x %x %x %x\n", (int8_t)-1, (int16_t)-1, (int32_t)-1, (int64_t)-1);
	printf("%X %o %u\n", -1, -1, -1);
	printf("%o %u\n", (int8_t)-1, (int16_t)-2);
	exit(0);
}
