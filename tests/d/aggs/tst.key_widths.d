/* Keys of integers are as wide as their types need. @@flags -q */
BEGIN
{
	@a[(int8_t)-1] = count(); @b[(int16_t)-1] = count(); @c[-1] = count(); @d[(int64_t)-1] = count();
	exit(0);
}
