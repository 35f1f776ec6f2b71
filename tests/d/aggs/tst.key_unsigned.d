/* Keys of unsigned types. @@flags -q */
BEGIN
{
	@a[(uint8_t)200] = count(); @b[(uint16_t)60000] = count(); @c[(uint32_t)4000000000] = count(); @d[(uint64_t)-1] = count();
	exit(0);
}
