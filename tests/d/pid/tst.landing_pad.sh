# The cheaper of two equal places of an entry: behind endbr64, unless something jumps there.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
if [ "$(uname -m)" = aarch64 ]; then
    # Landing pads and signed return addresses: the first instruction is the place of the entry, and of the return too.
    build target -mbranch-protection=standard <<'C'
__attribute__((noipa)) long leaf(long n) { return n + 1; }
__attribute__((noipa)) long calls(long n) { return leaf(n) + leaf(n + 1); }
int main(void) { return calls(3) == 9 ? 0 : 1; }
C
    run -q -c "$dir/target" -n 'pid$target:a.out:leaf:entry,pid$target:a.out:calls:entry { printf("%s %d\n", probefunc, arg0); }
        pid$target:a.out:leaf:return,pid$target:a.out:calls:return { printf("%s = %d\n", probefunc, arg1); }'
    ended 0
    printed 'calls 3
leaf 3
leaf = 4
leaf 4
leaf = 5
calls = 9'
    # Nothing between an exclusive load and its store has a probe, and the loop ends.
    build swap -march=armv8-a -mno-outline-atomics <<'C'
__attribute__((noipa)) long swap(long *p, long by) { return __atomic_fetch_add(p, by, __ATOMIC_SEQ_CST); }
int main(void) { long n = 3; return swap(&n, 4) == 3 && n == 7 ? 0 : 1; }
C
    run -q -c "$dir/swap" -n 'pid$target:a.out:swap: { @[probename] = count(); } END { printa("%s %@d\n", @); }'
    ended 0
    prints 'entry 1'
    prints 'return 1'
    exit 0
fi
build target <<'C'
__asm__(".globl plain\n.type plain,@function\nplain: endbr64; push %rbp; mov %rdi,%rax; pop %rbp; ret\n.size plain,.-plain\n"
        ".globl loops\n.type loops,@function\nloops: endbr64; 1: nop; dec %rdi; jnz 1b; ret\n.size loops,.-loops\n");
long plain(long), loops(long);
int main(void) { return plain(3) == 3 ? (int)loops(5) & 0 : 1; }
C
run -q -c "$dir/target" -n 'pid$target:a.out:plain:entry,pid$target:a.out:loops:entry { printf("%s %d\n", probefunc, arg0); }'
ended 0
printed 'plain 3
loops 5'
