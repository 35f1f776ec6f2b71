/* Assigning 0 frees; the element can be used again. @@flags -q */
BEGIN
{
	a[1] = 5; a[1] = 0;
	printf("%d ", a[1]);
	a[1] = 6; this->zero = 0; a[1] = this->zero;
	printf("%d ", a[1]);
	a[1]++;
	printf("%d\n", a[1]);
	exit(0);
}
