/* Narrow arguments keep their own type. @@flags -q */
BEGIN
{
	this->c = (char)200;
	this->u = (unsigned char)200;
	printf("%d %d %x %x\n", this->c, this->u, this->c, this->u);
	exit(0);
}
