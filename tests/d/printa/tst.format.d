/* A format is used for each entry; nothing is added. @@flags -q */
BEGIN
{
	@["a", 1] = sum(3);
	@["b", 2] = sum(1);
	printa("%s:%d=%@d\n", @);
	printa("%s ", @);
	printa("%@d,", @);
	printa("\n", @);
	exit(0);
}
