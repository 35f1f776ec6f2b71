/* Repeated slashes, . and .. go. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s]\n", cleanpath("///a///b"), cleanpath("/a/b/../c/./d"), cleanpath("/a.b/..c"));
	exit(0);
}
