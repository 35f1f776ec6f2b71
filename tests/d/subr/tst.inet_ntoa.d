/* An address of version 4. @@flags -q */
BEGIN
{
	this->p = (uint8_t *)alloca(4);
	this->p[0] = 192; this->p[1] = 168; this->p[2] = 0; this->p[3] = 255;
	printf("%s\n", inet_ntoa((ipaddr_t *)this->p));
	exit(0);
}
