/* The Solaris names of address types. @@flags -q */
BEGIN
{
	this->a = (ipaddr_t *)alloca(4);
	*this->a = htonl(0x7f000001);
	printf("%s\n", inet_ntoa(this->a));
	this->b = (in6_addr_t *)alloca(16);
	printf("%s\n", inet_ntoa6(this->b));
	exit(0);
}
