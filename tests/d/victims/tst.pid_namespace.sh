# In a container, pid, tid, ppid and $target are numbers of the same name space, and addresses have the names that belong to
# them; processes outside of it have the number 0.
# @@needs unshare
# @@needs cc
. "$(dirname "$0")/../cli/lib.bash"
inside() {
    out=$(timeout 20 unshare -p -f --mount-proc "$DTRACE" "$@" 2>"$dir/.err")
    status=$? err=$(cat "$dir/.err") what="dtrace in a pid namespace $*"
}
inside -qn 'syscall::exit_group:entry /pid == $target/ { printf("%d", arg0); }' -c "sh -c 'exit 9'"
ended 0
printed 9
cat >"$dir/app.c" <<'C'
#include <unistd.h>
__attribute__((noipa)) int leaf(int n) { return n + 1; }
__attribute__((noipa)) int middle(int n) { return leaf(n) + 1; }
int main(void) { return middle(getppid()) < 0; }
C
cc -O1 -fno-optimize-sibling-calls -o "$dir/app" "$dir/app.c" || exit 1
inside -qn 'pid$target:a.out:leaf:entry { printf("%d %d", pid == $target && tid == $target, ppid == arg0); ustack(2); }' -c "$dir/app"
ended 0
prints '1 1'
prints 'app`leaf'
prints 'app`middle'
cp "$(command -v sleep)" "$dir/outsider" || exit 1
(while [ -d "$dir" ]; do "$dir/outsider" 0.05; done) 2>/dev/null & loop=$!
inside -qn 'syscall::exit_group:entry /execname == "outsider"/ { printf("[%d]", pid); exit(0); } tick-10s { exit(1); }'
kill $loop; wait $loop 2>/dev/null
ended 0
prints '[0]'
