/* print() shows all members of a union. @@flags -q */
union u { int whole; char bytes[4]; };
union u v;

BEGIN
{
	v.whole = 0x6261;
	print(v);
	exit(0);
}
