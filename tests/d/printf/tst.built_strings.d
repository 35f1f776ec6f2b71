/* Several strings that are made for the record. @@flags -q */
BEGIN
{
	printf("%s %s %s %s\n", strjoin("a", execname), strjoin(execname, "b"), substr(execname, 2), strjoin(probename, lltostr(7)));
	exit(0);
}
