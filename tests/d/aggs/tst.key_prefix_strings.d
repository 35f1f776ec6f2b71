/* Strings where one begins with another are different keys. @@flags -q */
BEGIN
{
	@["a", "bc"] = sum(1); @["ab", "c"] = sum(2); @["abc", ""] = sum(3); @["", "abc"] = sum(4);
	exit(0);
}
