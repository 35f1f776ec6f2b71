/* Arithmetic, precedence and widths. @@flags -q */
BEGIN
{
	a = 7;
	b = 2;
	printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
	printf("%d %d %d\n", a << b, a >> 1, a ^ b);
	printf("%d %d %d %d\n", a > b, a < b, a != b, !a);
	printf("%d %d\n", -a / b, a > b ? 10 : 20);
	printf("%x %d\n", (uint8_t)0x1ff, (int8_t)0xff);
	printf("%d\n", 1 + 2 * 3 - 8 / 4);
	exit(0);
}
