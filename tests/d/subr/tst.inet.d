/* Addresses as text. @@flags -q */
BEGIN
{
	ip = (uint32_t *)alloca(4);
	*ip = htonl(0xc0a80105);
	printf("%s\n", inet_ntoa(ip));
	*ip = 0;
	printf("%s\n", inet_ntoa(ip));
	*ip = 0xffffffff;
	printf("%s %s\n", inet_ntoa(ip), inet_ntop(2, ip));
	this->b = (uint8_t *)alloca(20);
	this->b[0] = 0xfe;
	this->b[1] = 0x80;
	this->b[8] = 2;
	this->b[9] = 0x14;
	this->b[10] = 0x4f;
	this->b[11] = 0xff;
	this->b[15] = 0xc8;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->b));
	printf("%s %s\n", inet_ntop(10, this->b), link_ntop(1, this->b));
	printf("%s\n", link_ntop(32, this->b));
	exit(0);
}
