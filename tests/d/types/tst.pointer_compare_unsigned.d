/* Addresses compare as unsigned numbers. @@flags -q */
BEGIN
{
	this->k = (char *)0xffff800000000000; this->u = (char *)0x1000;
	printf("%d %d\n", this->k > this->u, this->k < this->u);
	exit(0);
}
