/* %p is hexadecimal without a prefix. @@flags -q */
BEGIN
{
	printf("%p %p\n", 0x1234, (void *)0xffff888000000000);
	exit(0);
}
