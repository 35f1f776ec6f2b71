/* @@flags -q
 * @@args 42 word "a b"
 */
BEGIN
{
	printf("%d %s %s %s\n", $1, $$2, $3, $$3);
	exit(0);
}
