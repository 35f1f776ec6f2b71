/* Pointers: stores, arithmetic, indices. @@flags -q */
BEGIN
{
	this->p = (int *)alloca(16);
	*this->p = 1; *(this->p + 1) = 2; this->p[2] = 3;
	this->q = this->p + 3; *this->q = 4;
	printf("%d %d %d %d %d\n", this->p[0], this->p[1], *(this->p + 2), this->q[0], this->q - this->p);
	*this->p += 10; this->p[1]++;
	printf("%d %d\n", this->p[0], this->p[1]);
	exit(0);
}
