/* @@flags -q
 * @@status 4
 */
BEGIN
{
	exit(3);
}

END
{
	exit(4);
}
