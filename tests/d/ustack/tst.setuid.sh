# A program that runs as another user is traced and named like any other, from its first instruction.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >other.c <<'C'
#include <stdio.h>
#include <unistd.h>
#include "put.h"
int n;
void as_other(void) { n += put("x\n"); }
int main(void) { if (geteuid() == 0) return 9; as_other(); return 0; }
C
build other
chmod 755 "$dir" && chown 65534 other && chmod 4755 other
./other >/dev/null || { echo "setuid programs do not change their user here"; exit 1; }
run -qn 'pid$target:a.out:as_other:entry { @calls = count(); }
    syscall::write:entry /pid == $target && arg0 == 1/ { @[ustack(2)] = count(); } END { printa("calls %@d\n", @calls); }' -c ./other
ended 0
prints 'other`as_other+0x'; prints 'other`main+0x'; prints "calls 1"
