# Addresses in stubs of the procedure linkage table are named as the functions that they call: lazy and eager ones, with and
# without landing pads, of C++ functions too.
# @@needs c++ objdump
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >lib.cc <<'C'
namespace shop { int total(int n) { return n + 1; } }
C
c++ -shared -fPIC -o libshop.so lib.cc || fail "c++"
cat >stubs.cc <<'C'
#include <stdlib.h>
#include "put.h"
namespace shop { int total(int); }
int main() { int n = shop::total(put("x\n")); free(malloc(n)); return 0; }
C
for flags in -Wl,-z,lazy -Wl,-z,now "-Wl,-z,now -fcf-protection=full -Wl,-z,ibtplt"; do
    [ "$(uname -m)" = x86_64 ] || flags=-Wl,-z,lazy
    c++ -O0 -no-pie $flags -o stubs stubs.cc -L. -lshop -Wl,-rpath,. || fail "c++ $flags"
    for want in malloc@plt:'malloc' shop::total@plt:'_ZN4shop5totalEi'; do
        # Lazy tables with landing pads are two: the jumps are in the second.
        at=$(objdump -d stubs | sed -n "s/^0*\([0-9a-f]*\) <${want##*:}@plt>:$/\1/p" | tail -n1)
        [ -n "$at" ] || fail "no stub for ${want##*:} with $flags"
        run -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { ufunc($1 + 3); }' -c ./stubs "0x$at"
        ended 0
        prints "stubs\`${want%:*}"
    done
done
# Between the stubs and past them there is nothing to name.
run -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { ufunc($1 + 0x800); }' -c ./stubs "0x$at"
[[ $out != *@plt* ]] || fail "a name for what is no stub"
