/* Elements have the width of their type. @@flags -q */
uint8_t a[int];
uint16_t b[int];

BEGIN
{
	a[1] = 300; b[1] = -1;
	printf("%d %d\n", a[1], b[1]);
	a[1] = 255; a[1]++;
	printf("%d\n", a[1]);
	exit(0);
}
