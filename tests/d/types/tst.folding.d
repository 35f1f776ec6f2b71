/* Constants are folded where they are read. @@flags -q */
inline int OPT = 1;

BEGIN
{
	printf("%d %d %d\n", 2 + 3 * 4, (1 << 10) - 1, -5 / 2);
	printf("%d %d\n", 1 ? 5 : nonsense, !0 + ~0);
	OPT ? printf("opt\n") : 1;
	exit(0);
}
