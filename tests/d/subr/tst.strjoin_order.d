/*
 * The parts of strjoin() are computed in their order, also where one changes what the other is. @@flags -q
 */
BEGIN
{
	n = 1;
	printf("%s ", strjoin(lltostr(n++), lltostr(n)));
	printf("%s ", strjoin(lltostr(n), lltostr(n++)));
	printf("%s ", strjoin(strjoin(lltostr(n++), "-"), strjoin(lltostr(n), "")));
	printf("%s\n", strjoin(strjoin(this->s = "a", "b"), this->s));
	exit(0);
}
