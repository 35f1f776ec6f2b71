/* Network and host order. @@flags -q */
BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x0102030405060708));
	printf("%x %x %x\n", ntohs(0x00ff), ntohl(0xff), ntohll(0xff));
	this->n = 0x1234;
	printf("%x %d\n", ntohs(this->n), htons(htons(this->n)) == this->n);
	exit(0);
}
