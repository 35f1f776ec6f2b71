# What the kernel must single-step is told: of each probe by -lv, of how many by -v.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
[ "$(uname -m)" = x86_64 ] || exit 0
build target <<'C'
long slow(long), fast(long), marked(long);
__asm__(".text\n.type slow,@function\nslow: lea 1(%rdi), %rax\nret\n.size slow, .-slow\n"
        ".type fast,@function\nfast: push %rbp\npop %rbp\nlea 1(%rdi), %rax\nret\n.size fast, .-fast\n"
        ".type marked,@function\nmarked: endbr64\npush %rbp\npop %rbp\nlea 1(%rdi), %rax\nret\n.size marked, .-marked\n");
int main(void) { return slow(fast(marked(0))) != 3; }
C
told() { printf '%s\n' "$out" | grep -c 'single-steps the instruction'; }
for probe in slow:entry:1 fast:entry:0 marked:entry:0 marked:0:1 marked:return:0; do
    IFS=: read -r function name stepped <<<"$probe"
    run -lv -c "$dir/target" -n "pid\$target:a.out:$function:$name"
    ended 0
    [ "$(told)" = "$stepped" ] || fail "$probe"
done
run -q -v -c "$dir/target" -n 'pid$target:a.out:slow:entry, pid$target:a.out:fast:entry, pid$target:a.out:marked:0 { printf("%s ", probefunc); }'
ended 0
prints 'single-steps the instruction of 2 probes: 20 times the cost'
prints 'marked fast slow'
run -lv -O json -c "$dir/target" -n 'pid$target:a.out:slow:entry'
prints '"stepped":true'
