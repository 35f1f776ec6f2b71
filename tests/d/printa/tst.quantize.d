/* A histogram in a format. @@flags -q */
BEGIN
{
	@["k"] = quantize(4);
	printa("key %s: %@d|\n", @);
	exit(0);
}
