/* Numbers as text. @@flags -q */
BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0), lltostr(5), lltostr(-5), lltostr(9223372036854775807));
	printf("[%s] [%s]\n", lltostr((int64_t)-9223372036854775807 - 1), lltostr(1234567890));
	exit(0);
}
