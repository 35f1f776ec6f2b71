/* Addresses of both families as text. @@flags -q */
BEGIN
{
	this->p = (uint8_t *)alloca(4);
	this->p[0] = 127; this->p[1] = 0; this->p[2] = 0; this->p[3] = 1;
	printf("%s\n", inet_ntop(2, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 0; this->p[1] = 0; this->p[2] = 0; this->p[3] = 0; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 0; this->p[10] = 0; this->p[11] = 0; this->p[12] = 0; this->p[13] = 0; this->p[14] = 0; this->p[15] = 1;
	printf("%s\n", inet_ntop(10, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 0; this->p[1] = 0; this->p[2] = 0; this->p[3] = 0; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 0; this->p[10] = 0; this->p[11] = 0; this->p[12] = 0; this->p[13] = 0; this->p[14] = 0; this->p[15] = 0;
	printf("%s\n", inet_ntop(10, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 254; this->p[1] = 128; this->p[2] = 0; this->p[3] = 0; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 0; this->p[10] = 0; this->p[11] = 0; this->p[12] = 0; this->p[13] = 0; this->p[14] = 0; this->p[15] = 1;
	printf("%s\n", inet_ntop(10, this->p));
	exit(0);
}
