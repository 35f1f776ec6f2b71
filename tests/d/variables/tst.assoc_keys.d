/* Keys of every kind. @@flags -q */
enum colour { RED, BLUE };

BEGIN
{
	a[1] = 1; b["s"] = 2; c[1, "s", (char)2] = 3; d[(int64_t)-1] = 4; e[probename, pid] = 5; f[(void *)16] = 6; g[BLUE] = 7;
	printf("%d %d %d %d %d %d %d\n", a[1], b["s"], c[1, "s", 2], d[-1], e["BEGIN", pid], f[(void *)16], g[BLUE]);
	printf("%d %d %d %d\n", a[2], b["t"], c[1, "s", 3], d[1]);
	exit(0);
}
