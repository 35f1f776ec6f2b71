/* sum() adds, also below zero. @@flags -q */
BEGIN
{
	@a = sum(5); @a = sum(-12); @b["k"] = sum(10);
	exit(0);
}
