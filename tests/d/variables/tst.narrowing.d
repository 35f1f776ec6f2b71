/* Stores narrow to the declared type. @@flags -q */
int8_t c;
uint8_t uc;
int16_t s;
int i;
uint32_t u;
int64_t l;
this int8_t t;

BEGIN
{
	c = 300; uc = 300; s = 40000; i = 5000000000; u = -1; l = 5000000000;
	printf("%d %d %d %d %u %d\n", c, uc, s, i, u, l);
	c = 200; this->t = 200;
	printf("%d %d\n", c, this->t);
	exit(0);
}
