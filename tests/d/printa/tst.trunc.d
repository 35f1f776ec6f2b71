/* Keys and values go. @@flags -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	trunc(@);
	printa("%s %@d ", @);
}

tick-1ms
{
	@["b"] = sum(5);
	printa("%s %@d ", @);
	exit(0);
}
