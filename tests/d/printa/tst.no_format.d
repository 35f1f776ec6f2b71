/* Without a format: a newline, then an entry a line. @@flags -q */
BEGIN
{
	@["a", 1] = sum(3);
	@["b", 2] = sum(1);
	printa(@);
	exit(0);
}
