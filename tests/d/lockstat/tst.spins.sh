# Threads on two processors take one spin lock of the kernel (of the futexes that they wake): waits are seen, of their threads,
# with a time that fits between the call and its end.
# @@needs cc cpus=2
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/t.c" <<'C'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int word;
static long futex(int op, int mask) { return syscall(SYS_futex, &word, op, op == FUTEX_WAIT_BITSET ? 0 : 1, NULL, NULL, mask); }
static void *waiter(void *arg) { for (;;) futex(FUTEX_WAIT_BITSET, 2); return arg; }
static void *waker(void *cpu) {
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET((long)cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
	for (time_t end = time(NULL) + 2; time(NULL) < end;) futex(FUTEX_WAKE_BITSET, 1);
	return NULL;
}
int main(void) {
	pthread_t t, two[2];
	for (int n = 0; n < 8; n++) pthread_create(&t, NULL, waiter, NULL);
	for (long n = 0; n < 2; n++) pthread_create(&two[n], NULL, waker, (void *)n);
	for (int n = 0; n < 2; n++) pthread_join(two[n], NULL);
	return 0;
}
C
cc -pthread -o "$dir/t" "$dir/t.c" || fail "cc"
run -qn 'int calls, spins, bad;
    syscall::futex:entry /pid == $target/ { self->at = timestamp; }
    lockstat:::spin-spin /self->at/ { spins++; bad += args[0] == 0 || args[1] == 0 || args[1] > timestamp - self->at; }
    syscall::futex:return /self->at/ { calls++; self->at = 0; }
    END { printf("%d %d %d\n", calls > 10000, spins > 10, bad); }' -c "$dir/t"
ended 0
printed '1 1 0'
