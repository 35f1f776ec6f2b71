/* Arithmetic has 64 bits until a value is stored, cast or printed. @@flags -q */
BEGIN
{
	this->a = (uint8_t)200; this->b = (uint8_t)100; this->i = 2147483647;
	printf("%d %d %d\n", this->a + this->b, this->a + this->b == 300, (this->a + this->b) >> 1);
	printf("%d %d %d\n", this->i + 1, (int64_t)(this->i + 1), (this->i + this->i) / 2);
	exit(0);
}
