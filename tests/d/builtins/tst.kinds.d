/* Types of the built-in variables. @@flags -q */
BEGIN
{
	printf("%d %d %d %d %d %d\n", sizeof (pid), sizeof (tid), sizeof (arg0), sizeof (execname), sizeof (uid), sizeof (errno));
	printf("%d %d %d %d %d\n", sizeof (timestamp), sizeof (cpu), sizeof (stackdepth), sizeof (id), sizeof (caller));
	exit(0);
}
