# vtimestamp goes with timestamp while a thread is on a CPU, stands still while it is not, and never goes back or further than
# timestamp does: within a firing, between two, across switches, and where a probe of a process is itself preempted.
# @@needs cc
# @@timeout 90
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/load.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static char text[60000];
__attribute__((noinline)) void step(const char *s) { __asm__ volatile("" ::"r"(s) : "memory"); }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
static void *work(void *end)
{
    while (now() < *(double *)end) {
        step(text);
        if (rand() % 8 == 0) usleep(100);
    }
    return 0;
}
int main(int argc, char **argv)
{
    double end = now() + atof(argv[1]);
    pthread_t threads[6];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (argc > 2) sched_setaffinity(0, sizeof one, &one);
    memset(text, 'x', sizeof text - 1);
    for (int i = 0; i < 6; i++) pthread_create(threads + i, 0, work, &end);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], 0);
    return 0;
}
C
cc -O1 -o "$dir/load" "$dir/load.c" -lpthread || exit 1
vars='self uint64_t t, v, go;'
judge='this->t = timestamp - self->t; this->v = (int64_t)(vtimestamp - self->v);
    @[this->v < 0 ? "back" : this->v > (int64_t)this->t ? "further" : "right"] = count();'
mark='self->t = timestamp; self->v = vtimestamp;'
# only_right ARGUMENTS
only_right() {
    run -q "$@"
    ended 0
    printf '%s\n' "$out" | awk 'NF { seen = 1; if ($1 != "right" || $2 < 100) exit 1 } END { exit !seen }' || fail "not only right"
}
only_right -n "$vars syscall:::entry,syscall:::return { self->go = self->t; }
    syscall:::entry,syscall:::return /self->go && pid == \$target/ { $judge }
    syscall:::entry,syscall:::return /pid == \$target/ { $mark }" -c "$dir/load 2"
# Each off-cpu and on-cpu: between them the clock stands still, but for the switch itself.
for how in -q -xwithout=sched_exit_tp '-xwithout=sched_exit_tp -xwithout=finish_task_switch'; do
    only_right $how -n "$vars sched:::off-cpu /pid == \$target/ { $mark }
        sched:::on-cpu /pid == \$target && self->t/ { $judge @away = max(this->v); @gone = max(this->t); self->t = 0; }
        END { printa(\"right 999 %@d of %@d\\n\", @away, @gone); }" -c "$dir/load 1"
    printf '%s\n' "$out" | awk '/ of / && !($3 < $5 / 2) { exit 1 }' || fail "the clock goes off the CPU"
done
# Measuring a text of 60,000 bytes takes so long that the probe itself is preempted.
only_right -x strsize=64k -n "$vars pid\$target:load:step:entry /self->t/ { this->n = strlen(copyinstr(arg0)); $judge }
    pid\$target:load:step:entry { $mark }" -c "$dir/load 3 here"
