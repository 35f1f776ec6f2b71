/* Casts narrow and extend. @@flags -q */
BEGIN
{
	this->l = (int64_t)0x123456789abcdef0;
	printf("%x %x %x %x\n", (uint8_t)this->l, (uint16_t)this->l, (uint32_t)this->l, (uint64_t)this->l);
	printf("%d %d %d\n", (int8_t)this->l, (int16_t)this->l, (int32_t)this->l);
	printf("%d %d %d\n", (int64_t)(int8_t)255, (int64_t)(uint8_t)-1, (uint64_t)(uint32_t)-1);
	printf("%d\n", (int)(char)0x80);
	exit(0);
}
