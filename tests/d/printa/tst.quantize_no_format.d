/* A histogram without a format. @@flags -q */
BEGIN
{
	@["k"] = quantize(4); printa(@);
	exit(0);
}
