/* The chosen branch only; the common type of integers. @@flags -q */
BEGIN
{
	this->t = 1;
	printf("%d %s %d\n", this->t ? 1 : 2, this->t ? "yes" : "no", sizeof (this->t ? (char)1 : (int64_t)2));
	printf("%d\n", this->t ? (int8_t)-1 : (int64_t)5);
	1 ? printf("constant\n") : 1;
	0 ? printf("never\n") : 1;
	exit(0);
}
