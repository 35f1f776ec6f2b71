# The example that shows what a program waits for: a look-up that hangs, in a program built without frame pointers.
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/hang.c" <<'C'
#include <poll.h>
#include <stdio.h>
int depth;
__attribute__((noinline)) int wait_for_answer(void) { return poll(NULL, 0, 700) + ++depth; }
__attribute__((noinline)) int ask_server(int n) { return wait_for_answer() + n + ++depth; }
__attribute__((noinline)) int look_up(const char *name) { return ask_server(name[0]) + ++depth; }
int main(void) { printf("%d\n", look_up("host") > 0); return 0; }
C
cc -O2 -fomit-frame-pointer -o "$dir/hang" "$dir/hang.c" || exit 1
run -s "$(dirname "$0")/../../../examples/offcpu/offcpu.d" -c "$dir/hang"
ended 0
# The last stack is the one that waited longest.
printf '%s\n' "$out" | awk -v RS= 'END { print }' >"$dir/last"
what="$what; its last stack"
out=$(sed 's/^ *//; s/+0x[0-9a-f]*$//' "$dir/last" | tr '\n' ' ')
prints '`wait_for_answer hang`ask_server hang`look_up hang`main '
ms=$(awk 'END { print $1 }' "$dir/last")
[ "$ms" -ge 700 ] || fail "waited $ms ms"
