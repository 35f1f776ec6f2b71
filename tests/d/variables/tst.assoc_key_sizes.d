/* Integer keys of any size find the same element. @@flags -q */
BEGIN
{
	a[(int64_t)5] = 1;
	this->c = (char)5; this->u = (uint16_t)5;
	printf("%d %d %d %d\n", a[5], a[this->c], a[this->u], a[(int64_t)5]);
	b[-1] = 2; this->m = (int8_t)-1;
	printf("%d %d\n", b[this->m], b[(int64_t)-1]);
	exit(0);
}
