/* Copies of kernel memory. @@flags -q */
BEGIN
{
	this->b = (char *)alloca(16);
	bcopy(curthread->comm, this->b, 16);
	printf("%d\n", stringof(this->b) == execname);
	exit(0);
}
