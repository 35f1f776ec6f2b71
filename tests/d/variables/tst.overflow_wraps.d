/* Narrow variables wrap at their ends. @@flags -q */
int8_t c;
uint8_t uc;
int i;
uint32_t u;
uint16_t us;

BEGIN
{
	c = 127; uc = 255; i = 2147483647; u = 0; us = 65535;
	c++; uc++; i++; u--; us++;
	printf("%d %d %d %u %d\n", c, uc, i, u, us);
	c--; uc--; i--; u++; us--;
	printf("%d %d %d %u %d\n", c, uc, i, u, us);
	exit(0);
}
