/* Many in a clause. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/b"), cleanpath("/a//b"), cleanpath("/a/./b"), cleanpath("/a/../b"));
	printf("[%s] [%s] [%s] [%s]\n", cleanpath("/a/b/../../c"), cleanpath("/../x"), cleanpath("///a///b"), cleanpath("/a/b/../c/./d"));
	printf("[%s]\n", cleanpath("/a.b/..c"));
	exit(0);
}
