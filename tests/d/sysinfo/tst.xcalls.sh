# Memory that is unmapped while a thread of the process runs on the other processor: that one is called, each time.
# @@needs cc cpus=2
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/t.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile int ready, stop;
static void on(int cpu) {
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}
static void *spin(void *arg) {
	on(1);
	for (ready = 1; !stop;) { }
	return arg;
}
int main(void) {
	pthread_t t;
	on(0);
	pthread_create(&t, NULL, spin, NULL);
	while (!ready) usleep(1000);
	sched_get_priority_max(0);
	for (int n = 0; n < 300; n++) {
		char *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		p[0] = 1;
		munmap(p, 65536);
		usleep(100);
	}
	sched_get_priority_max(0);
	stop = 1;
	return pthread_join(t, NULL);
}
C
cc -pthread -o "$dir/t" "$dir/t.c" || fail "cc"
run -qn 'int calls;
    syscall::sched_get_priority_max:entry /pid == $target/ { step++; }
    sysinfo:::xcalls /pid == $target && step == 1/ { calls += arg0; }
    END { printf("%d\n", calls > 30 && calls < 3000); }' -c "$dir/t"
ended 0
printed 1
