/* The largest stay. @@flags -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	@["c"] = sum(3);
	@["d"] = sum(4);
	trunc(@, 2);
	printa("%s ", @);
	exit(0);
}
