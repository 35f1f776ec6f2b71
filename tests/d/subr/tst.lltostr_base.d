/* Prefixes of bases 16 and 8; other bases are unsigned and have none. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", lltostr(255, 16), lltostr(0, 16), lltostr(8, 8), lltostr(0, 8));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(5, 2), lltostr(35, 36), lltostr(-5, 10), lltostr(-1, 16));
	printf("[%s] [%s] [%s]\n", lltostr(1295, 36), lltostr(6, 3), lltostr(-1, 2));
	exit(0);
}
