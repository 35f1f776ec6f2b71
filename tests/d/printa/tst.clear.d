/* Keys stay, values become 0 and grow again. @@flags -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	clear(@);
	printa("%s %@d ", @);
}

tick-1ms
{
	@["b"] = sum(5);
	printa("%s %@d ", @);
	exit(0);
}
