/* Each call gives memory of its own, aligned to 8. @@flags -q */
BEGIN
{
	this->a = (int64_t *)alloca(8); this->b = (char *)alloca(3); this->c = (int64_t *)alloca(8);
	*this->a = 1; this->b[0] = 2; *this->c = 3;
	printf("%d %d %d %d\n", *this->a, this->b[0], *this->c, (uint64_t)this->c & 7);
	exit(0);
}
