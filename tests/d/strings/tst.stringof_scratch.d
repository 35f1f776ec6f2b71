/* stringof() of an address; the NUL may be stored afterwards. @@flags -q */
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a'; this->p[1] = 'b'; this->p[2] = 'c'; this->p[3] = '\0';
	printf("%s ", stringof(this->p));
	this->p[1] = '\0';
	printf("%s %s %d\n", stringof(this->p), (string)(this->p + 2), strlen(stringof(this->p)));
	exit(0);
}
