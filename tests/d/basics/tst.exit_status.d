/* exit() gives the status of the command. @@flags -q
 * @@status 3
 */
BEGIN
{
	exit(3);
}
