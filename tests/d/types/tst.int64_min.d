/* The smallest 64-bit number. @@flags -q */
BEGIN
{
	this->m = (int64_t)0x8000000000000000;
	printf("%d %d %d\n", this->m, this->m - 1, -this->m);
	printf("%d\n", this->m < 0);
	exit(0);
}
