/* Many arguments. @@flags -q */
BEGIN
{
	printf("%d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s %d %s\n", 0, "s0", 1, "s1", 2, "s2", 3, "s3", 4, "s4", 5, "s5", 6, "s6", 7, "s7", 8, "s8", 9, "s9", 10, "s10", 11, "s11", 12, "s12", 13, "s13", 14, "s14");
	exit(0);
}
