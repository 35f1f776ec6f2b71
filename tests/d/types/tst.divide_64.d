/* Signed division of large numbers. @@flags -q */
BEGIN
{
	this->min = (int64_t)-9223372036854775807 - 1; this->k = (int64_t)1000000007; this->m = (int64_t)-1;
	printf("%d %d %d\n", this->min / this->k, this->min % this->k, this->k / this->m);
	printf("%d\n", this->min / 2);
	exit(0);
}
