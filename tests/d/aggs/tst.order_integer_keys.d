/* Integer keys sort as signed numbers. @@flags -q */
BEGIN
{
	@[10] = count(); @[9] = count(); @[-1] = count(); @[100] = count();
	exit(0);
}
