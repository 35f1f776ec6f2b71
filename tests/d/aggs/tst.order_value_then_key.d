/* Ascending by value; equal values by key. @@flags -q */
BEGIN
{
	@["b", 1] = sum(2); @["a", 2] = sum(2); @["z", 0] = sum(1); @["a", 1] = sum(2); @["m", 0] = sum(-5);
	exit(0);
}
