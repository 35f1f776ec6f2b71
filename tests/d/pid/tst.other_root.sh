# A process whose files exist in its own mount name space only: pid probes, probes of its own and stacks. The host has another
# file by the name of its library.
# @@needs cc
# @@needs unshare
# @@timeout 60
. "$(dirname "$0")/lib.bash"
unshare -m true 2>/dev/null || { echo "no name spaces here"; exit 0; }
mkdir "$dir/inner"
echo 'not a library' >"$dir/inner/libinside.so"
build libinside.so -shared -fPIC <<'C'
__attribute__((noipa)) long inside(long n) { return n + 1; }
C
cat >"$dir/in.d" <<'D'
provider inner { probe go(int n); };
D
(cd "$dir" && "$DTRACE" -h -s in.d) || fail "no header"
cat >"$dir/contained.c" <<'C'
#include <unistd.h>
#include "in.h"
long inside(long n);
int main(void) { for (long i = 0;; i++) { INNER_GO((int)inside(41)); usleep(2000); } }
C
cc -O1 -I "$dir" -o "$dir/contained" "$dir/contained.c" "$dir/libinside.so" -Wl,-rpath,"$dir/inner" || fail "cc"
cat >"$dir/start.sh" <<C
mount -t tmpfs none $dir/inner || exit 9
cp $dir/contained $dir/libinside.so $dir/inner
exec $dir/inner/contained
C
unshare -m bash "$dir/start.sh" & victim=$!
for _ in $(seq 200); do [ "$(readlink /proc/$victim/exe)" = "$dir/inner/contained" ] && break; sleep 0.02; done
run -q -p $victim -n 'pid$target:libinside.so:inside:entry { ustack(2); self->n = arg0; }
    pid$target:libinside.so:inside:return { printf("%d from %d\n", arg1, self->n); }
    inner$target:contained:main:go { printf("go %d\n", arg0); exit(0); } tick-10s { exit(1); }'
ended 0
prints 'libinside.so`inside'
prints 'contained`main+0x'
prints '42 from 41'
prints 'go 42'
run -q -n 'inner*:::go /probeprov == "inner'$victim'"/ { printf("any %d", arg0); exit(0); } tick-10s { exit(1); }'
kill $victim
ended 0
printed 'any 42'
