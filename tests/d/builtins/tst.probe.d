/* The names of the probe, its id and that of the enabling. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s] %d %d\n", probeprov, probemod, probefunc, probename, id, epid);
	exit(0);
}
