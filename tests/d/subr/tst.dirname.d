/* All but the last component. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", dirname("/a/b/c"), dirname("c"), dirname("/a/b/"), dirname("/a"));
	printf("[%s] [%s] [%s] [%s]\n", dirname("/"), dirname("///"), dirname(""), dirname("a/b"));
	printf("[%s] [%s] [%s]\n", dirname("a/"), dirname("/a//b"), dirname("."));
	exit(0);
}
