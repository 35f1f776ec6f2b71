/* Later events have later times. @@flags -q */
BEGIN
{
	t = timestamp;
	w = walltimestamp;
}

tick-1ms
{
	printf("%d %d\n", timestamp > t && timestamp - t < 10000000000, walltimestamp > w && walltimestamp - w < 10000000000);
	exit(0);
}
