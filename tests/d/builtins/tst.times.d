/* Times do not change within a firing, and go on between them. @@flags -q */
BEGIN
{
	printf("%d %d %d\n", timestamp == timestamp, vtimestamp == vtimestamp, walltimestamp == walltimestamp);
	printf("%d %d %d\n", sizeof (timestamp), timestamp > 0, walltimestamp > 1500000000000000000);
	exit(0);
}
