/* sym() as an argument gives the name without an offset. @@flags -q */
BEGIN
{
	printf("%a|%a\n", sym((uint64_t)&`schedule + 4), mod((uint64_t)&`schedule));
	exit(0);
}
