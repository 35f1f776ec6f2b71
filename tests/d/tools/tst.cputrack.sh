# Events of each thread, from its first instruction to its last, compared with what the threads know themselves; children, other
# programs, running processes.
# @@needs cc
# @@timeout 180
. "$(dirname "$0")/lib.bash"
cat >"$dir/load.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#define PAGE 4096L
/* Touches so many pages, sleeps a hundredth as often, and tells what the kernel says of it; or sleeps only, if negative. */
static void *work(void *arg)
{
    long n = (long)arg;
    for (; n < 0; n++) usleep(1000);
    char *m = mmap(0, (n + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(m, n * PAGE, MADV_NOHUGEPAGE);
    for (long i = 0; i < n; i++) m[i * PAGE] = 1;
    for (long i = 0; i < n / 100; i++) usleep(1000);
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    char line[200];
    int len = snprintf(line, sizeof line, "own %d %ld %ld\n", gettid(), n, r.ru_nvcsw + r.ru_nivcsw);
    write(2, line, len);
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t t[1000];
    int n = 0;
    if (!strcmp(argv[1], "alone")) {
        pthread_create(&t[0], 0, work, (void *)-2000L);
        pthread_exit(0);
    }
    if (!strcmp(argv[1], "short")) {
        for (n = 0; n < atoi(argv[2]); n++) {
            pthread_create(&t[0], 0, work, (void *)10L);
            pthread_join(t[0], 0);
        }
        return 0;
    }
    for (int i = 1; i < argc; i++) pthread_create(&t[n++], 0, work, (void *)atol(argv[i]));
    while (n) pthread_join(t[--n], 0);
    return 0;
}
C
cc -O2 -pthread -o "$dir/load" "$dir/load.c" || fail cc
run cputrack -v -T 0.1 -c page-faults,context-switches "$dir/load" 2000 5000 9000
ended 0
printf '%s\n' "$out" | head -1 | grep -qxE ' +time +lwp +event +pic0 +pic1' || fail header
{ printf '%s\n' "$err"; printf '%s\n' "$out"; } >"$dir/both"
# Pages that a thread touched, and a few of its stack; switches as its own usage has them, and those for its stops.
awk '
    $1 == "own" { pages[$2] = $3; switches[$2] = $4; n++ }
    $3 == "lwp_create" { made[$2]++ }
    $3 == "init_lwp" { init[$2]++ }
    $3 == "tick" { ticks[$2] += $4; ticked++ }
    $3 == "fini_lwp" { fini[$2] = $4; faults += $4 }
    $3 == "lwp_exit" && ($2 in pages) {
        if (!(made[$2] && init[$2]) || $4 != fini[$2]) exit 1
        if ($4 < pages[$2] || $4 > pages[$2] + 30) exit 2
        if ($5 < switches[$2] - 4 || $5 > switches[$2] + 4) exit 3
        if (ticks[$2] > $4) exit 4
        seen++ }
    $3 == "exit" { if ($4 != faults || exit_seen++) exit 5 }
    END { if (n != 3 || seen != 3 || exit_seen != 1) exit 6; if (ticked < 2) exit 7 }' "$dir/both" || fail "threads: $?"
# Threads that live for a moment: none is missed.
run cputrack -T 0 -n -c page-faults "$dir/load" short 150
ended 0
printf '%s\n' "$out" | awk '
    $3 == "lwp_exit" { n++; if ($4 < 10 || $4 > 40) exit 1; sum += $4 }
    $3 == "exit" { all = $4 }
    END { exit !(n == 150 && all > sum) }' || fail "150 threads"
# Children and other programs.
run cputrack -fe -T 0 -c page-faults sh -c "$dir/load 3000; exec $dir/load 4000"
ended 0
printf '%s\n' "$out" | head -1 | grep -qxE ' +time +pid +lwp +event +pic0' || fail "header with processes"
printf '%s\n' "$out" | awk -v load="$dir/load" '
    $4 == "fork" { child = $NF }
    $4 == "exec" && $5 == "#" { programs++; if (index($0, load) == 0) exit 1 }
    $4 == "exit" { exits++; if ($5 < ($2 == child ? 3000 : 4000) || $5 > ($2 == child ? 4500 : 5500)) exit 2 }
    END { exit !(child && programs == 2 && exits == 2) }' || fail "children and programs: $?"
# Without -e the other program goes on alone.
run cputrack -T 0 -o "$dir/table" -c page-faults sh -c "exec $dir/load 5"
ended 0
printed ''
grep -q ' exec # ' "$dir/table" && ! grep -q ' exit ' "$dir/table" || fail "followed without -e: $(cat "$dir/table")"
# A process that runs: so many samples, and it goes on.
"$dir/load" -20000 2>/dev/null &
load=$!
sleep 0.3
run cputrack -N 3 -T 0.2 -c context-switches -p $load
ended 0
printf '%s\n' "$out" | awk '$3 == "tick" { n++; if ($4 > 50) busy++ } END { exit !(n == 6 && busy >= 1) }' || fail "ticks of a running process"
kill -0 $load || fail "it has ended"
# The same, interrupted; and killed.
start cputrack -T 0.1 -c context-switches -p $load
wait_for tick
finish INT
ended 0
start cputrack -T 0.1 -c context-switches -p $load
wait_for tick
kill -9 "$pid"; wait "$pid" 2>/dev/null
sleep 0.2
grep -q '^State:[[:space:]]*[SR]' /proc/$load/status || fail "it was left stopped"
grep -q '^TracerPid:[[:space:]]*0$' /proc/$load/status || fail "it is traced still"
kill $load
wait $load 2>/dev/null
# A process whose first thread is gone.
"$dir/load" alone 2>/dev/null &
load=$!
sleep 0.3
run cputrack -T 0 -n -c context-switches -p $load
ended 0
printf '%s\n' "$out" | awk '$3 == "exit" { n++; if ($4 < 100 || $4 > 2500) exit 1 } END { exit n != 1 }' || fail "without its first thread"
# Several lists: each thread has its turn.
run cputrack -T 0.1 -c context-switches -c page-faults "$dir/load" 30000
ended 0
printf '%s\n' "$out" | awk '$3 == "exit" { e[$NF]++ } $3 == "tick" { t[$NF]++ } END { exit !(e["context-switches"] == 1 && e["page-faults"] == 1 && t["page-faults"]) }' ||
    fail "lists in turn"
# A name that would break the table.
ln -s "$(type -P true)" "$dir/a
b"
run cputrack -e -n -T 0 -c page-faults sh -c "exec '$dir/a
b'"
ended 0
printf '%s\n' "$out" | grep -q " exec # '$dir/a?b'\$" || fail "a command in two lines"
# What cannot be.
run cputrack -c page-faults -p 999999999
ended 1
one_line
says 'cputrack: failed to capture pid 999999999: No such process'
run cputrack -c page-faults /no/such/command
ended 1
one_line
says "cputrack: failed to start program '/no/such/command': No such file or directory"
run cputrack -c PAPI_tot_cyc touch "$dir/started"
if ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9].*)$'; then
    ended 0
    printf '%s\n' "$out" | awk '$3 == "exit" && $4 > 10000 { ok = 1 } END { exit !ok }' || fail "cycles"
else
    ended 1
    one_line
    says 'no such performance counter'
    [ ! -e "$dir/started" ] || fail "the command ran"
fi
for wrong in '' '-c page-faults' 'true' '-c page-faults -p 1 true' '-c nonsense true' '-c page-faults -T x true'; do
    # shellcheck disable=SC2086
    run cputrack $wrong
    ended 2
    says 'Usage: cputrack '
done
run cputrack -h
ended 0
prints ' context-switches '
