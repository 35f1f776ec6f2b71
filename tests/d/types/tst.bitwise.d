/* And, or, exclusive or, complement. @@flags -q */
BEGIN
{
	this->a = 0xf0; this->b = 0x3c;
	printf("%x %x %x %x %d\n", this->a & this->b, this->a | this->b, this->a ^ this->b, ~this->a, ~0);
	this->c = (uint8_t)0x0f;
	printf("%x %d %d\n", ~this->c, ~this->c, -this->c);
	exit(0);
}
