#!/bin/bash
# What the commands around dtrace cost, and whether they tell everything: bench/tools.sh [PROGRAM]
#
# For each command, beside a load of it for SECONDS (5): how often its BPF programs ran, ns each time as the kernel measures it
# (kernel.bpf_stats_enabled), that part of all CPU time, firings that were missed, and what the command says it lost. For dmpstat
# also what it counted against what the kernel counts itself.
set -u
cd "$(dirname "$0")/.." || exit 1
tools=${1:-target/x86_64-unknown-linux-gnu/release/dtrace-tools}
seconds=${SECONDS_EACH:-5}
dir=$(mktemp -d)
before=$(sysctl -n kernel.bpf_stats_enabled)
# The shell, too, should see what it waits for at once.
renice -n -20 $$ >/dev/null
trap 'sysctl -qw kernel.bpf_stats_enabled=$before; rm -rf "$dir"' EXIT
sysctl -qw kernel.bpf_stats_enabled=1
cat >"$dir/load.c" <<'C'
/* Two processes that pass a byte to and fro on any CPUs, and one that makes system calls on another; until SECONDS are over. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(int argc, char **argv)
{
    double begin = now(), end = begin + atof(argv[1]);
    int a[2], b[2];
    char c = 0;
    long n = 0;
    if (argc != 2 || pipe(a) || pipe(b)) return 2;
    if (!fork()) { close(a[1]); close(b[0]); while (read(a[0], &c, 1) == 1 && write(b[1], &c, 1) == 1); _exit(0); }
    if (!fork()) { while (now() < end) for (int i = 0; i < 1000; i++) syscall(SYS_getppid); _exit(0); }
    for (; now() < end; n++) if (write(a[1], &c, 1) != 1 || read(b[0], &c, 1) != 1) return 1;
    fprintf(stderr, "%.0f round trips per second\n", n / (now() - begin));
    return 0;
}
C
cc -O1 -o "$dir/load" "$dir/load.c" || exit 1
value() { sed -n "s/^$1 *//p" /proc/stat | head -1; }
one() {
    local pid name=$1
    what=$*
    nice -n 20 "$tools" "$@" >"$dir/out" 2>"$dir/err" &
    pid=$!
    # Attached: the programs have run.
    until cat /proc/$pid/fdinfo/* 2>/dev/null | grep -q '^run_cnt:.*[1-9]'; do sleep 0.05; done
    sleep $((seconds - 1))
    cat /proc/$pid/fdinfo/* 2>/dev/null | awk -v what="$what" -v cpus="$(nproc)" -v s=$((seconds - 1)) '
        $1 == "run_time_ns:" { ns += $2 } $1 == "run_cnt:" { n += $2 } $1 == "recursion_misses:" { missed += $2 }
        END { printf "%-44s %9d firings %6.0f ns %5.2f %% of all CPUs, missed %d", what, n, n ? ns / n : 0, ns / (s * cpus * 1e9) * 100, missed }'
    wait $pid
    echo "; says: $(grep -v 'round trips' "$dir/err" | tr '\n' '.')"
}
echo "untraced: $(nice -n 20 "$dir/load" "$seconds" 2>&1 >/dev/null)"
for command in "dmpstat $((seconds + 1)) 1" "prstat -n 3 $((seconds + 1)) 1" "intrstat $((seconds + 1)) 1"; do
    nice -n 20 "$dir/load" $((seconds + 3)) 2>"$dir/load.err" &
    sleep 0.3
    # shellcheck disable=SC2086
    one $command
    wait
    echo "  the load meanwhile: $(cat "$dir/load.err")"
done
one lockstat "$dir/load" $((seconds + 1))
one lockstat -s 5 python3 tests/d/tools/contend.py "$dir/file" $((seconds + 1))
one lockstat -i 997 -I "$dir/load" $((seconds + 1))
# What is counted, in the seconds between two tables.
nice -n 20 "$dir/load" 9 2>/dev/null &
nice -n 20 "$tools" dmpstat 1 4 >"$dir/out" 2>"$dir/err" &
tables() { until [ "$(grep -c ^CPU "$dir/out")" -ge "$1" ]; do sleep 0.005; done; value ctxt; }
from=$(tables 1) to=$(tables 4)
wait
awk -v kernel=$((to - from)) '/^CPU/ { t++ } !/^CPU/ && t > 1 { csw += $7 } END { printf "dmpstat: csw %d in 3 s, the kernel counts %d\n", csw, kernel }' "$dir/out"
cat "$dir/err"
