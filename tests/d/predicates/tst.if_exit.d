/* Actions in branches.
 * @@flags -q
 * @@status 7
 */
BEGIN
{
	i = 3;
	if (i == 3) {
		trace(i);
		exit(7);
	} else {
		exit(8);
	}
}
