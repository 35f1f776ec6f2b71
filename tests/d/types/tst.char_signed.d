/* char is signed. @@flags -q */
BEGIN
{
	this->c = (char)0xff;
	printf("%d %d %d\n", this->c, this->c < 0, this->c == -1);
	exit(0);
}
