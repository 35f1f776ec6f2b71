# Instructions of threads with loops of known length, to the instruction: processors and emulators that count instructions count
# all of them, in each thread and from its first.
# @@needs cc
# @@needs probe=cpc:::instructions-user-100000
# @@timeout 180
. "$(dirname "$0")/lib.bash"
# Each turn of a loop is two instructions.
cat >"$dir/loop.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *work(void *arg)
{
    long n = (long)arg;
#ifdef __aarch64__
    __asm__ volatile("1: subs %0, %0, 1; b.ne 1b" : "+r"(n));
#else
    __asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
#endif
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t t[100];
    int n = 0;
    for (int i = 1; i < argc; i++) pthread_create(&t[n++], 0, work, (void *)atol(argv[i]));
    while (n) pthread_join(t[--n], 0);
    return 0;
}
C
cc -O2 -pthread -o "$dir/loop" "$dir/loop.c" || fail cc
raw=r08
[ "$(uname -m)" = x86_64 ] && raw=rc0
for event in PAPI_tot_ins instructions $raw; do
    run cputrack -T 0 -n -c $event "$dir/loop" 1000000 5000000 11000000
    ended 0
    # A thread begins and ends in the same way whatever its loop: the differences are those of the loops. Threads end in any order.
    printf '%s\n' "$out" | awk '$3 == "lwp_exit" { print $4 }' | sort -n >"$dir/counts"
    grep -q '[*-]' "$dir/counts" && fail "not counted all the time"
    awk '{ n[NR] = $1 } END {
        if (NR != 3) exit 1
        a = n[2] - n[1] - 8000000; b = n[3] - n[2] - 12000000
        if (a < -500 || a > 500 || b < -500 || b > 500) exit 2
        if (n[1] < 2000000 || n[1] > 2020000) exit 3 }' "$dir/counts" || fail "$event: $? ($(tr '\n' ' ' <"$dir/counts"))"
done
# Both modes are more than one, and together with the kernel's alone they are consistent.
run cputrack -T 0 -n -c 'PAPI_tot_ins,PAPI_tot_ins,PAPI_tot_ins,nouser1,sys1,sys2' "$dir/loop" 1000000
ended 0
printf '%s\n' "$out" | awk '
    $3 == "exit" { found = 1; if ($4 !~ /\*/ && $4 + $5 != $6) { d = $6 - $4 - $5; if (d < -1000 || d > 1000) exit 1 } }
    END { exit !found }' || fail "modes do not add up"
# The same on the CPUs: at least what the program did there.
start cpustat -c PAPI_tot_ins 0.2
wait_for tick
"$dir/loop" 20000000
sleep 0.5
finish INT
ended 0
printf '%s\n' "$out" | awk '$3 == "total" { found = 1; if ($4 + 0 < 40000000) exit 1 } END { exit !found }' || fail "instructions of the CPUs"
