# Targets that fork, exec, are stopped and killed while they are traced, and tracers that are killed: no target dies that would
# not have, none stays stopped, no call is missed, no probe remains. SOAK=10000 does it ten thousand times, with a hundred
# dead tracers.
# @@needs cc
# @@needs od
# @@timeout 120
. "$(dirname "$0")/../usdt/lib.bash"
times=${SOAK:-300} tracers=$(((${SOAK:-300} + 99) / 100))
cd "$dir" || exit 1
cat >soakd.d <<'D'
provider soakd { probe work(int n); };
D
"$DTRACE" -h -s soakd.d || fail "no header"
cat >target.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "soakd.h"
__attribute__((noipa)) int add(int a, int b)
{
    volatile int kept = a;
    SOAKD_WORK(b);
    return kept + b;
}
static void work(void)
{
    for (int i = 0; i < 10; i++)
        if (add(i, 1) != i + 1)
            abort();
}
static void must(int holds, const char *what, int n, int status)
{
    if (!holds) {
        printf("%s: round %d, status %x\n", what, n, status);
        exit(1);
    }
}
int main(int argc, char **argv)
{
    int times = argc > 2 ? atoi(argv[2]) : 0, status = 0;
    if (strcmp(argv[1], "forks") == 0) {
        for (int n = 0; n < times; n++) {
            pid_t child = fork();
            if (child == 0) {
                work();
                _exit(7);
            }
            must(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "fork", n, status);
        }
    } else if (strcmp(argv[1], "execs") == 0) {
        char left[12];
        work();
        snprintf(left, sizeof left, "%d", times - 1);
        if (times > 0)
            execl("/proc/self/exe", argv[0], "execs", left, NULL);
    } else if (strcmp(argv[1], "stops") == 0) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                work();
        for (int n = 0; n < times; n++) {
            kill(child, SIGSTOP);
            must(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status), "stop", n, status);
            kill(child, SIGCONT);
            must(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status), "continue", n, status);
        }
        kill(child, SIGKILL);
        must(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL, "end", 0, status);
    } else if (strcmp(argv[1], "kills") == 0) {
        for (int n = 0; n < times; n++) {
            pid_t child = fork();
            if (child == 0)
                for (;;)
                    work();
            usleep(n % 700);
            kill(child, SIGKILL);
            must(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "kill", n, status);
        }
    } else {
        printf("%p\n", (void *)add);
        fflush(stdout);
        for (;;) {
            work();
            usleep(200);
        }
    }
    printf("done\n");
    return 0;
}
C
cc -O1 -o target target.c || fail "cc"
for kind in forks execs stops kills; do
    run -q -c "./target $kind $times" -n 'soakd*:::work { @["site"] = count(); }
        pid$target:a.out:add:entry, pid$target:a.out:add:return, pid$target:libc:fork:entry { @[probename] = count(); }
        END { printa("%s %@d\n", @); }'
    ended 0; said ''; prints done
    case $kind in
        forks) prints "site $((times * 10))" ;;
        execs) prints "site $((times * 10 + 10))"; prints "entry $((times * 10 + 10))"; prints "return $((times * 10 + 10))" ;;
    esac
done
./target idle >address & victim=$!
trap 'kill -9 $victim $pid 2>/dev/null; rm -rf "$dir"' EXIT
until [ -s address ]; do sleep 0.01; done
at=$(($(cat address)))
code() { od -An -tx1 -j "$at" -N 32 /proc/$victim/mem; }
before=$(code)
for ((n = 0; n < tracers; n++)); do
    start -q -p $victim -n 'BEGIN { printf("begun\n"); } soakd*:::work, pid$target:a.out:add:, pid$target:libc::return { @ = count(); }'
    # At all times of its life.
    if ((n % 2)); then wait_for begun; sleep 0.0$((n % 7)); else sleep 0.$((n % 5))$((n % 3)); fi
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    state=$(sed -n 's/^State:\t\(.\).*/\1/p' /proc/$victim/status)
    [[ $state == [SR] ]] || fail "tracer $n: the process is in state $state"
done
what="$tracers tracers, killed" status=0
for _ in $(seq 100); do [ "$(code)" = "$before" ] && break; sleep 0.05; done
[ "$(code)" = "$before" ] || fail "a breakpoint is left: $(code), was $before"
run -q -p $victim -n 'soakd*:::work { @ = count(); } tick-200ms { exit(0); } END { printa("%@d", @); }'
ended 0
[ "$out" -gt 100 ] || fail "only $out calls"
