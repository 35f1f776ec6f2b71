/* Right shifts keep the sign of signed types only. @@flags -q */
BEGIN
{
	this->i = -8; this->u = (uint32_t)-8; this->l = (int64_t)-8; this->ul = (uint64_t)-8; this->c = (int8_t)-8; this->uc = (uint8_t)-8;
	printf("%d %d %d %d %d %d\n", this->i >> 1, this->u >> 1, this->l >> 1, this->ul >> 1, this->c >> 1, this->uc >> 1);
	printf("%d %d %d\n", (int64_t)1 << 40, 1 << 31, this->l << 4);
	this->n = 3;
	printf("%d %d\n", this->l >> this->n, this->ul >> this->n);
	exit(0);
}
