# The cheaper of two equal places of an entry: behind endbr64, unless something jumps there.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
[ "$(uname -m)" = x86_64 ] || exit 0
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
