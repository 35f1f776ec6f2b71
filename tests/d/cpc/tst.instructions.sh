# Instructions of a known loop in user mode, by each of the event's names: processors tell of every overflow, emulators (which
# count exactly) of some, and nothing else overflows.
# @@needs cc
# @@needs probe=cpc:::instructions-user-100000
# @@timeout 120
. "$(dirname "$0")/../cli/lib.bash"
# Twice N instructions.
cat >"$dir/loop.c" <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
    long n = atol(argv[1]);
#ifdef __aarch64__
    __asm__ volatile("1: subs %0, %0, 1; b.ne 1b" : "+r"(n));
#else
    __asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
#endif
    return 0;
}
C
cc -O2 -o "$dir/loop" "$dir/loop.c" || fail cc
least=198
# The machine `virt` is QEMU's.
grep -q virt /proc/device-tree/compatible 2>/dev/null && least=5
count() {
    run -qn "cpc:::$1-user-100000 /pid == \$target/ { @n = count(); } END { printa(\"%@d\", @n); }" -c "$dir/loop $2"
    ended 0
    [ -n "$out" ] || out=0
}
for event in instructions PAPI_tot_ins; do
    count $event 1000000; small=$out
    count $event 11000000; large=$out
    # 10 million turns more are 20 million instructions, 200 overflows; what begins and ends the program is in both.
    d=$((large - small))
    [ $d -ge "$least" ] && [ $d -le 202 ] || fail "$event: $d overflows, not 200"
done
