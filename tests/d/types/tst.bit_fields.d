/* Bit-fields, signed and unsigned. @@flags -q */
struct b { unsigned int a : 3; unsigned int b : 5; int c : 4; unsigned int d : 20; };

BEGIN
{
	this->p = (struct b *)alloca(8);
	*(uint64_t *)this->p = 0;
	*(uint32_t *)this->p = 0xabcdef5d;
	printf("%d %d %d %x\n", this->p->a, this->p->b, this->p->c, this->p->d);
	exit(0);
}
