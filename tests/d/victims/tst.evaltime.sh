# Where commands wait: evaltime.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/../pid/lib.bash"
build target <<'C'
#include <unistd.h>
__attribute__((constructor)) void early(void) { getppid(); }
int main(void) { return getppid() == 0; }
C
functions='pid$target:a.out:_start:entry, pid$target:a.out:early:entry, pid$target:a.out:main:entry { printf("%s ", probefunc); }'
for when in preinit postinit; do
    run -q -x evaltime=$when -c "$dir/target" -n "$functions"; ended 0; printed '_start early main '
done
run -q -x evaltime=main -c "$dir/target" -n "$functions"; ended 0; printed 'main '
run -q -c "$dir/target" -n 'pid$target:libc:getppid:entry { @ = count(); } END { printa("%@d", @); }'; ended 0; printed 2
run -q -x evaltime=exec -c "$dir/target" -n 'pid$target:libc:getppid:entry { }'
ended 1; says 'does not match any probes'
# Without probes of the process it waits at its beginning, so that all of its system calls are seen.
run -q -c "$dir/target" -n 'syscall::mmap*:entry /pid == $target/ { @ = count(); } END { printa("%@d", @); }'
[ "$out" -gt 2 ] || fail "the dynamic linker was not seen"
