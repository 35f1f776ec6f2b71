/* IPv6: the longest run of zeros, mapped and compatible addresses; families that do not exist are a fault. @@flags -q */
BEGIN
{
	x = (uint64_t *)alloca(16);
	x[0] = 0;
	x[1] = htonll(0x0000ffff7f000001);
	printf("%s\n", inet_ntop(10, x));
	x[1] = htonll(0x7f000001);
	printf("%s\n", inet_ntop(10, x));
	x[1] = htonll(1);
	printf("%s\n", inet_ntop(10, x));
	x[1] = 0;
	printf("%s\n", inet_ntop(10, x));
	x[0] = htonll(0x0001000000000000);
	printf("%s\n", inet_ntop(10, x));
	x[0] = htonll(0x0001000000020000);
	x[1] = htonll(0x0000000300000000);
	printf("%s\n", inet_ntop(10, x));
	x[0] = htonll(0x0000000000000004);
	x[1] = htonll(0x0000000000000005);
	printf("%s\n", inet_ntop(10, x));
	x[0] = htonll(0xffffffffffffffff);
	x[1] = htonll(0xffffffffffffffff);
	printf("%s\n", inet_ntoa6((struct in6_addr *)x));
}

BEGIN
{
	trace(inet_ntop(3, alloca(16)));
}

BEGIN
{
	trace(inet_ntoa((uint32_t *)8));
}

ERROR
{
	printf("fault %d\n", arg4);
}

BEGIN
{
	exit(0);
}
