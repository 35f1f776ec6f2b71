# A program that runs with rights other than its caller's, started while traced (-c) and running (-p): it has those rights
# all the same.
# @@needs cc
# @@needs setpriv
# @@timeout 60
. "$(dirname "$0")/lib.bash"
build target <<'C'
#include <unistd.h>
__attribute__((noipa)) int who(int real, int effective) { return real + effective; }
int main(void) { alarm(15); for (;;) { who(getuid(), geteuid()); usleep(1000); } }
C
chmod 755 "$dir" && chmod 4755 "$dir/target" || exit 1
case $(findmnt -no OPTIONS -T "$dir" 2>/dev/null) in *nosuid*) echo "no setuid programs here"; exit 0 ;; esac
as='setpriv --reuid 65534 --regid 65534 --clear-groups'
run -q -Z -c "$as $dir/target" -n 'pid$target:target:who:entry { printf("%d %d %d", arg0, arg1, uid); exit(0); } tick-10s { exit(1); }'
ended 0
prints '65534 0 65534'
$as "$dir/target" & victim=$!
for _ in $(seq 200); do [ "$(readlink /proc/$victim/exe)" = "$dir/target" ] && break; sleep 0.02; done
run -q -p $victim -n 'pid$target:target:who:return { printf("%d", arg1); exit(0); } tick-10s { exit(1); }'
kill $victim
ended 0
printed 65534
