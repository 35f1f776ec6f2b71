/* Members of a union share their bytes. @@flags -q */
union u { long l; int i; short s; char c[8]; };
union u v;

BEGIN
{
	v.l = 0x0102030405060708;
	printf("%x %x %x %d\n", v.c[0], v.s, v.i, sizeof (v));
	v.c[0] = 0xff;
	printf("%x\n", v.l);
	exit(0);
}
