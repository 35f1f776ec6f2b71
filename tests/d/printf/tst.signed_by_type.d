/* %d follows the sign of the type of its argument. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", (int8_t)-1, (int16_t)-1, (int32_t)-1, (int64_t)-1);
	printf("%d %d %d %d\n", (uint8_t)-1, (uint16_t)-1, (uint32_t)-1, (uint64_t)-1);
	printf("%i %i\n", (int8_t)-128, (int64_t)-9223372036854775807);
	exit(0);
}
