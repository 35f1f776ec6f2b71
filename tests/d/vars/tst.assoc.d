/* @@flags -q */
BEGIN
{
	a["one", 1] = 10;
	a["two", 2] = 20;
	b[1] = "text";
	printf("%d %d %d %s\n", a["one", 1], a["two", 2], a["none", 0], b[1]);
	a["one", 1] = 0;
	a["two", 2]++;
	printf("%d %d\n", a["one", 1], a["two", 2]);
	exit(0);
}
