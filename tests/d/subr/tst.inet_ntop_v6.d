/* Groups of zeros, and addresses that hold one of version 4. @@flags -q */
BEGIN
{
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 32; this->p[1] = 1; this->p[2] = 13; this->p[3] = 184; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 1; this->p[10] = 0; this->p[11] = 0; this->p[12] = 0; this->p[13] = 0; this->p[14] = 0; this->p[15] = 1;
	printf("%s\n", inet_ntop(10, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 0; this->p[1] = 0; this->p[2] = 0; this->p[3] = 0; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 0; this->p[10] = 255; this->p[11] = 255; this->p[12] = 1; this->p[13] = 2; this->p[14] = 3; this->p[15] = 4;
	printf("%s\n", inet_ntop(10, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 0; this->p[1] = 0; this->p[2] = 0; this->p[3] = 0; this->p[4] = 0; this->p[5] = 0; this->p[6] = 0; this->p[7] = 0;
	this->p[8] = 0; this->p[9] = 0; this->p[10] = 0; this->p[11] = 0; this->p[12] = 1; this->p[13] = 2; this->p[14] = 3; this->p[15] = 4;
	printf("%s\n", inet_ntop(10, this->p));
	this->p = (uint8_t *)alloca(16);
	this->p[0] = 1; this->p[1] = 2; this->p[2] = 1; this->p[3] = 2; this->p[4] = 1; this->p[5] = 2; this->p[6] = 1; this->p[7] = 2;
	this->p[8] = 1; this->p[9] = 2; this->p[10] = 1; this->p[11] = 2; this->p[12] = 1; this->p[13] = 2; this->p[14] = 1; this->p[15] = 2;
	printf("%s\n", inet_ntop(10, this->p));
	exit(0);
}
