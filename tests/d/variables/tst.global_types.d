/* A variable has the type of what is first assigned. @@flags -q */
BEGIN
{
	a = 5; b = (int64_t)5; c = (uint8_t)300; d = "text"; e = (char)65; f = (void *)16;
	printf("%d %d %d %s %c %p\n", a, b, c, d, e, f);
	printf("%d %d %d %d %d %d\n", sizeof (a), sizeof (b), sizeof (c), sizeof (d), sizeof (e), sizeof (f));
	exit(0);
}
