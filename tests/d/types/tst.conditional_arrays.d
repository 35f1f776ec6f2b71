/* The choice of two arrays of char is a text, not an address. @@flags -q */
int no;
BEGIN
{
	printf("%s\n", no ? curthread->real_parent->comm : curthread->comm);
	trace(!no ? curthread->comm : curthread->real_parent->comm);
	@[no ? curthread->real_parent->comm : curthread->comm] = count();
	printa("\n%s %@d\n", @);
	exit(0);
}
