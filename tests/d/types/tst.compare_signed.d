/* Comparisons follow the sign of the common type. @@flags -q */
BEGIN
{
	this->m = -1; this->u = (uint32_t)1; this->l = (int64_t)-1; this->ul = (uint64_t)1; this->one = 1;
	printf("%d %d %d\n", this->m < this->one, this->l < this->u, this->l < this->one);
	printf("%d %d\n", this->l < this->ul, this->l > this->ul);
	printf("%d %d %d %d\n", this->m <= this->m, this->m >= this->one, this->m != this->one, this->m == this->l);
	exit(0);
}
