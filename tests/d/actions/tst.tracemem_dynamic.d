/* The third argument limits what is shown. @@flags -q */
BEGIN
{
	this->p = (char *)alloca(32);
	this->p[0] = 65;
	this->p[1] = 66;
	this->p[2] = 67;
	this->p[3] = 68;
	this->p[4] = 69;
	this->p[5] = 70;
	this->p[6] = 71;
	this->p[7] = 72;
	this->p[8] = 73;
	this->p[9] = 74;
	this->p[10] = 75;
	this->p[11] = 76;
	this->p[12] = 77;
	this->p[13] = 78;
	this->p[14] = 79;
	this->p[15] = 80;
	this->p[16] = 81;
	this->p[17] = 82;
	this->p[18] = 83;
	this->p[19] = 84;
	this->p[20] = 20;
	this->p[21] = 21;
	this->p[22] = 22;
	this->p[23] = 23;
	this->p[24] = 24;
	this->p[25] = 25;
	this->p[26] = 26;
	this->p[27] = 27;
	this->p[28] = 28;
	this->p[29] = 29;
	this->p[30] = 30;
	this->p[31] = 31;
	this->n = 18;
	tracemem(this->p, 32, this->n);
	tracemem(this->p, 4, 100);
	exit(0);
}
