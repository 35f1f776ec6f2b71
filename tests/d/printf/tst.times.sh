# %Y and %T are local time; in UTC here.
TZ=UTC "$DTRACE" -qn 'BEGIN {
	printf("%Y\n", (int64_t)123456789 * 1000000000);
	printf("%Y\n", 0x0LL);
	printf("%Y\n", (int64_t)951782400 * 1000000000 + 999999999);
	printf("[%24Y]\n", (int64_t)123456789 * 1000000000);
	printf("%T\n", (int64_t)123456789 * 1000000000);
	exit(0); }'
