/* Addresses of one function are one key of sym() and func(), of one module one of mod(). @@flags -q */
BEGIN
{
	@s[sym((uint64_t)&`schedule)] = count(); @s[sym((uint64_t)&`schedule + 4)] = count(); @f[func((uint64_t)&`schedule + 8)] = count(); @m[mod((uint64_t)&`schedule)] = count(); @m[mod((uint64_t)&`schedule + 4)] = count();
	exit(0);
}
