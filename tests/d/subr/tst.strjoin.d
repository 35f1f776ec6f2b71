/* One string after the other. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", strjoin("ab", "cd"), strjoin("", "x"), strjoin("x", ""), strjoin("", ""));
	printf("[%s] [%s]\n", strjoin("a", strjoin("b", "c")), strjoin(strjoin("a", "b"), strjoin("c", "d")));
	exit(0);
}
