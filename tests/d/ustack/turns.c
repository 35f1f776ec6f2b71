/* A thread that waits in turn below a signal handler on a stack of its own, alloca() and an aligned frame, and computes. */
#include <alloca.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DEEP __attribute__((noinline, noclone))
/* So that no call is a jump. */
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

DEEP void waits(int ms) { poll(0, 0, ms); KEEP(0); }
DEEP void handler(int s) { waits(2); KEEP(0); }
DEEP void raises(void) { kill(getpid(), SIGUSR1); KEEP(0); }
DEEP void varies(int n) { char *p = alloca(n); memset(p, n, n); waits(3); KEEP(p); }
DEEP void aligned(int n) { char b[256] __attribute__((aligned(128))); memset(b, n, 256); waits(4); KEEP(b); }
DEEP void computes(unsigned n) { for (volatile unsigned i = 0; i < n; i++); }
DEEP void works(unsigned n) { computes(n); KEEP(0); }
static void *other(void *n) { for (;;) waits(5); return n; }

int main(int argc, char **argv)
{
	static char stack[65536];
	stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	pthread_t thread;

	sigaltstack(&own, 0);
	sigaction(SIGUSR1, &act, 0);
	pthread_create(&thread, 0, other, 0);
	for (int i = 0; i < 100000; i++) {
		raises();
		varies(1000 + argc * 16);
		aligned(argc);
		works(5000000);
	}
}
