/* The last component. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", basename("/a/b/c"), basename("c"), basename("/a/b/"), basename("a//"));
	printf("[%s] [%s] [%s] [%s]\n", basename("/"), basename("///"), basename(""), basename("."));
	printf("[%s] [%s] [%s]\n", basename("/a"), basename("a/b"), basename("/usr/lib/x.so.6"));
	exit(0);
}
