/* Flags, width and precision of integers are those of C. @@flags -q */
BEGIN
{
	printf("[%+d] [%+d] [% d] [% d]\n", 7, -7, 7, -7);
	printf("[%5d] [%-5d] [%05d] [%+05d]\n", 42, 42, 42, 42);
	printf("[%.3d] [%6.3d] [%-6.3d]\n", 7, 7, -7);
	printf("[%#x] [%#X] [%#o] [%#x]\n", 255, 255, 8, 0);
	printf("[%#10x] [%-#10x] [%010x]\n", 255, 255, 255);
	exit(0);
}
