/* Division and remainder are towards zero; the sign of the type decides. @@flags -q */
BEGIN
{
	this->a = -7; this->b = 2; this->u = (uint64_t)-7; this->c = (uint32_t)4294967289;
	printf("%d %d %d %d\n", this->a / this->b, this->a % this->b, 7 / -this->b, 7 % -this->b);
	printf("%d %d\n", this->u / 2, this->u % 10);
	printf("%d %d\n", this->c / 2, this->c % 10);
	printf("%d %d\n", -7 / 2, -7 % 2);
	exit(0);
}
