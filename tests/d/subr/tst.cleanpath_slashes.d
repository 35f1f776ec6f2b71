/* Repeated slashes, . and .. go. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s]\n", cleanpath("/a/b"), cleanpath("/a//b"), cleanpath("/a/./b"));
	exit(0);
}
