/* Operators bind as in C. @@flags -q */
BEGIN
{
	this->a = 2; this->b = 3; this->c = 4;
	printf("%d %d %d\n", this->a + this->b * this->c, (this->a + this->b) * this->c, this->c - this->b - this->a);
	printf("%d %d %d\n", this->a << this->b + 1, this->a | this->b & this->c, this->a ^ this->b | this->c);
	printf("%d %d %d\n", this->a < this->b == 1, this->a == 2 || this->b && 0, !this->a == 0);
	printf("%d %d\n", -this->a * -this->b, ~this->a & 7);
	printf("%d\n", this->a > 5 ? 1 : this->b > 2 ? 2 : 3);
	exit(0);
}
