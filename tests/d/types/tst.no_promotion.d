/* Narrow operands are not promoted to int. @@flags -q */
BEGIN
{
	this->a = (uint8_t)200; this->b = (uint8_t)100;
	printf("%d %d\n", this->a + this->b, sizeof (this->a + this->b));
	x = this->a + this->b;
	printf("%d %d\n", x, sizeof (x));
	this->c = (int8_t)100;
	printf("%d %d\n", this->c + this->c, sizeof (this->c * this->c));
	exit(0);
}
