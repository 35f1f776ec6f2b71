/* A pointer is a key by its address. @@flags -q */
BEGIN
{
	@[(void *)4096] = count();
	exit(0);
}
