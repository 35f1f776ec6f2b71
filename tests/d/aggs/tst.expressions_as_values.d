/* Values and keys are any expressions. @@flags -q */
BEGIN
{
	x = 5; @[x + 1, x > 3 ? "big" : "small"] = sum(x * x - 1);
	exit(0);
}
