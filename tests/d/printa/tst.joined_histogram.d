/* A histogram beside a number. @@flags -q */
BEGIN
{
	@q["k"] = quantize(4); @c["k"] = count(); printa("%s %@d|%@d\n", @q, @c);
	exit(0);
}
