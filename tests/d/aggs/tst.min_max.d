/* min() and max() compare signed. @@flags -q */
BEGIN
{
	@lo = min(5); @lo = min(-5); @lo = min(7); @hi = max(-9); @hi = max(-3); @hi = max(-7);
	exit(0);
}
