# A library that is loaded while tracing gets its probes: old ones go on, variables and aggregations are the same.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
build plugin.so -shared -fPIC -nostartfiles <<'C'
__attribute__((noipa)) long plug(long n) { return n + 1; }
C
build target -ldl <<'C'
#include <dlfcn.h>
#include <unistd.h>
__attribute__((noipa)) long own(long n) { return n; }
int main(int argc, char **argv)
{
    for (int i = 0; i < 100; i++) { own(i); usleep(2000); }
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) return 1;
    long (*plug)(long) = (long (*)(long))dlsym(library, "plug");
    for (int i = 0; i < 300; i++) { own(i); plug(i); usleep(2000); }
    plug(1000000);
    return 0;
}
C
program='pid$target:a.out:own:entry { own++; @[probefunc] = count(); self->n = arg0; }
pid$target:plugin.so:plug:entry, pid$target:plugin:plug:return { @[probefunc] = count(); @[probename] = count(); }
pid$target:plugin.so:pl*:entry /probefunc == "plug" && self->n == 299 && arg0 == 1000000/ { printf("last %s:%s of %d\n", probemod, probefunc, own); }
pid$target:plugin.so:plug:entry, pid$target::plug:entry { @["both"] = count(); }
END { printa("%s %@d\n", @); }'
run -Z -q -c "$dir/target $dir/plugin.so" -n "$program"
ended 0
prints 'last plugin.so:plug of 400'
prints 'own 400'
plugs=$(printf '%s\n' "$out" | sed -n 's/^plug //p')
[ "${plugs:-0}" -gt 200 ] || fail "too few calls of the library"
entries=$(printf '%s\n' "$out" | sed -n 's/^entry //p')
[ "${entries:-0}" -gt 100 ] || fail "entries"
# Descriptions of one clause that come to mean the same probe both fire it.
prints "both $((2 * entries))"
[ "$(printf '%s\n' "$out" | sed -n 's/^return //p')" -gt 100 ] || fail "returns"
