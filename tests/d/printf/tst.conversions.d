/* @@flags -q */
BEGIN
{
	printf("[%d] [%5d] [%-5d] [%05d] [%+d]\n", 42, 42, 42, 42, 42);
	printf("[%x] [%X] [%#x] [%o] [%u]\n", 255, 255, 255, 8, 7);
	printf("[%s] [%10s] [%-10s] [%.2s]\n", "abc", "abc", "abc", "abc");
	printf("[%c] [%%] [%*d]\n", 'x', 6, 42);
	printf("[%i] [%lld]\n", -1, 123456789012);
	exit(0);
}
