# A thread that holds what a thread with a real-time priority wants takes that priority over, and gives it back.
# @@needs cc
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/t.c" <<'C'
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static pthread_mutex_t lock;
static void *urgent(void *arg) {
	struct sched_param p = { .sched_priority = 10 };
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &p)) return arg;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void) {
	pthread_mutexattr_t a;
	pthread_t t;
	void *failed = &t;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &a);
	pthread_mutex_lock(&lock);
	pthread_create(&t, NULL, urgent, &t);
	usleep(100000);
	pthread_mutex_unlock(&lock);
	pthread_join(t, &failed);
	return failed != NULL;
}
C
cc -pthread -o "$dir/t" "$dir/t.c" || fail "cc"
run -qn 'sched:::change-pri /args[1]->pr_pid == $target/ { printf("%d %d\n", args[0]->pr_lwpid == $target, args[2]); }' -c "$dir/t"
ended 0
printed '1 89
1 120'
