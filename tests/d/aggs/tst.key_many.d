/* Ten keys of all widths. @@flags -q */
BEGIN
{
	@[1, "two", (int8_t)3, (int64_t)4, "five", 6, (int16_t)7, "", 9, "ten"] = count();
	exit(0);
}
