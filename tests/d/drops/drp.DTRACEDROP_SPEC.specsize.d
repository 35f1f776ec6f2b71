/* More records than the buffer of a speculation holds. @@flags -q -x specsize=100 */
BEGIN
{
	i = speculation();
}

BEGIN
{
	speculate(i);
	printf("%s\n", "some bytes of a record");
}

BEGIN
{
	speculate(i);
	printf("%s\n", "some bytes of a record");
}

BEGIN
{
	speculate(i);
	printf("%s\n", "some bytes of a record");
}

BEGIN
{
	commit(i);
	exit(0);
}
