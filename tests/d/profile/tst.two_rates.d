/* Rates do not disturb each other; two clauses of one probe fire as often. @@flags -q */
int a, b, c;

tick-5ms { a++; }
tick-5ms { b++; }
tick-50ms { c++; }
tick-400ms
{
	printf("%d %d %d\n", a == b, a >= 40 && a <= 82, c >= 4 && c <= 9);
	exit(0);
}
