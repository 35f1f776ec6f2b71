/* Functions without frame pointers, 26 deep below main(), that end in a system call. Prints where calls return to. */
#include <poll.h>
#include <stdio.h>

#define DEEP __attribute__((noinline, noclone))
static void *volatile to[32];

DEEP int last(int n)
{
	to[0] = __builtin_return_address(0);
	for (int i = 0; i < 27; i++)
		printf("%p\n", to[i]);
	fflush(stdout);
	/* One more function: poll(2) itself is in the C library. */
	int r = 0;
	for (int i = 0; i < 6000; i++)
		r += poll(0, 0, 50);
	return r + n;
}

#define F(a, b) DEEP int f##a(int n) { volatile char x[a * 24 + 8]; x[n & 7] = n; to[a + 1] = __builtin_return_address(0); return b(n + 1) + x[1]; }
F(0, last)
F(1, f0) F(2, f1) F(3, f2) F(4, f3) F(5, f4) F(6, f5) F(7, f6) F(8, f7) F(9, f8) F(10, f9) F(11, f10) F(12, f11)
F(13, f12) F(14, f13) F(15, f14) F(16, f15) F(17, f16) F(18, f17) F(19, f18) F(20, f19) F(21, f20) F(22, f21)
F(23, f22) F(24, f23) F(25, f24)

int main(void)
{
	return f25(1);
}
