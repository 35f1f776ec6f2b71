/* A key that comes back begins anew. @@flags -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(3);
	trunc(@, 1);
}

tick-1ms
{
	@["a"] = sum(2);
	@["b"] = sum(1);
	printa("%s %@d ", @);
	exit(0);
}
