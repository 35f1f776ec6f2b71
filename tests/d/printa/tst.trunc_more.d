/* More than there are: all stay. @@flags -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	trunc(@, 5);
	printa("%s ", @);
	exit(0);
}
