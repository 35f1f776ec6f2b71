# All threads of a process fire, each with its own variables.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
build target -pthread <<'C'
#include <pthread.h>
#include <stddef.h>
__attribute__((noipa)) long work(long n) { return n + 1; }
static void *run(void *arg) { for (int i = 0; i < 100; i++) work((long)arg); return NULL; }
int main(void)
{
    pthread_t t[8];
    for (long i = 0; i < 8; i++) pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
    return 0;
}
C
run -q -c "$dir/target" -n 'pid$target:a.out:work:entry { self->n = arg0; }
pid$target:a.out:work:return /arg1 == self->n + 1/ { @[tid] = count(); @n = sum(1); } END { printa("%@d\n", @); printa("%@d\n", @n); }'
ended 0
[ "$(printf '%s\n' "$out" | sort | uniq -c | tr -s ' ')" = " 8 100
 1 800" ] || fail "wrong counts"
