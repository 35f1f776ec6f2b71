/* Width and precision may come from arguments. @@flags -q */
BEGIN
{
	this->n = 6;
	printf("[%*d] [%-*d] [%0*d]\n", 6, 42, 6, 42, 6, 42);
	printf("[%*d] [%.*s] [%*.*s]\n", this->n, 7, 2, "abc", 5, 2, "abc");
	exit(0);
}
