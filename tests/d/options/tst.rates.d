/* Rates as times and frequencies.
 * @@flags -q -x switchrate=10hz -x statusrate=100ms -x aggrate=1s -x cleanrate=50hz
 */
BEGIN
{
	printf("%d\n", 5);
	exit(0);
}
