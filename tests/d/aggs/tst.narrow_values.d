/* Values keep the sign of their type. @@flags -q */
BEGIN
{
	@a = sum((int8_t)-1); @b = sum((uint8_t)-1); @c = max((uint32_t)-1); @d = min((int16_t)-2);
	exit(0);
}
