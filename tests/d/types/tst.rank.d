/* The operand of higher rank gives the type: bits, then unsigned. @@flags -q */
BEGIN
{
	this->i8 = (int8_t)1; this->u8 = (uint8_t)1; this->i32 = (int32_t)1; this->u32 = (uint32_t)1; this->i64 = (int64_t)1; this->u64 = (uint64_t)1;
	printf("%d %d %d %d\n", sizeof (this->i8 + this->u8), sizeof (this->i8 + this->i32), sizeof (this->u32 + this->i64), sizeof (this->u8 + 1));
	printf("%d %d %d\n", this->i32 - this->u32 - 1, this->i64 - this->u32 - 1, this->i64 - this->u64 - 1);
	printf("%d\n", this->i8 - this->u8 - this->u8);
	exit(0);
}
