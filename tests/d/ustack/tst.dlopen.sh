# A library that arrives by dlopen() and leaves by dlclose().
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >late.c <<'C'
#include <unistd.h>
#include "put.h"
int n;
void in_late_library(void) { n += put("x\n"); }
C
build late -shared -fPIC
cp late liblate.so.3
cat >host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int n;
int main(void)
{
    void *library = dlopen("./liblate.so.3", RTLD_NOW);
    if (!library)
        return 1;
    ((void (*)(void))dlsym(library, "in_late_library"))();
    dlclose(library);
    n++;
    return 0;
}
C
build host -ldl
run -qn 'syscall::write:entry /pid == $target/ { @[ustack(3)] = count(); ustack(3); }' -c ./host
ended 0
[ "$(grep -c '^ *liblate.so.3`in_late_library+0x' <<<"$out")" = 2 ] || fail "function of a late library"
[ "$(grep -c '^ *host`main+0x' <<<"$out")" = 2 ] || fail "its caller"
