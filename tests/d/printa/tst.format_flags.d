/* Keys and values take flags and widths, in any order with @. @@flags -q */
BEGIN
{
	@["a", 10] = sum(255);
	printa("[%5s] [%-5d] [%@8d] [%8@d] [%-@8d] [%@08d] [%@x] [%#@x] [%@o]\n", @);
	exit(0);
}
