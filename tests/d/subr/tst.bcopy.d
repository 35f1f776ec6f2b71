/* Copies into scratch memory. @@flags -q */
BEGIN
{
	this->a = (char *)alloca(8); this->b = (char *)alloca(8);
	this->a[0] = 'a'; this->a[1] = 'b'; this->a[2] = 'c'; this->a[3] = '\0';
	bcopy(this->a, this->b, 4);
	printf("%s ", stringof(this->b));
	bcopy(this->a + 1, this->b, 2);
	printf("%s\n", stringof(this->b));
	exit(0);
}
