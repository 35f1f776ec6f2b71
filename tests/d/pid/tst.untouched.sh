# Whatever happens to dtrace, the process runs on and has no breakpoint left; so do its children, which are not traced.
# @@needs cc
# @@needs od
# @@timeout 60
. "$(dirname "$0")/lib.bash"
build target <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int add(int a, int b) { return a + b; }
int main(void)
{
    printf("%p\n", (void *)add);
    fflush(stdout);
    for (int i = 0;; i++) {
        if (i % 10 == 0) {
            int status;
            if (fork() == 0)
                _exit(add(1, 2) != 3);
            if (wait(&status) < 0 || status != 0)
                abort();
        }
        add(i, i);
        usleep(1000);
    }
}
C
"$dir/target" >"$dir/address" & victim=$!
trap 'kill -9 $victim $pid 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' TERM INT
until [ -s "$dir/address" ]; do sleep 0.01; done
at=$(($(cat "$dir/address")))
code() { od -An -tx1 -j "$at" -N 8 /proc/$victim/mem; }
before=$(code)
for _ in 1 2 3 4 5 6 7 8; do
    start -q -p $victim -n 'BEGIN { printf("begun\n"); } pid$target:a.out:add:entry, pid$target:::return { @[pid] = count(); }'
    wait_for begun
    sleep 0.2
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
done
what='dtrace, killed'
[ "$(code)" = "$before" ] || sleep 1
[ "$(code)" = "$before" ] || fail "a breakpoint is left: $(code), was $before"
run -q -p $victim -n 'pid$target:a.out:add:entry { @[pid] = count(); } tick-300ms { exit(0); } END { printa("%d\n", @); }'
printed $victim
state=$(sed -n 's/^State:\t\(.\).*/\1/p' /proc/$victim/status)
[[ $state == [SR] ]] || fail "the process is in state $state"
kill $victim
