/* A table line at each tick, then an end. @@flags -q */
int secs;

BEGIN
{
	printf("%4s %6s\n", "N", "TEXT");
}

tick-20ms
{
	printf("%4d %6s\n", ++secs, secs == 1 ? "one" : "more");
}

tick-20ms
/secs == 3/
{
	exit(0);
}
