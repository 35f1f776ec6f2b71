# A process whose probes are on five-byte no-ops forks while it is traced: its children live, and run the same code.
# (Linux 6.18 makes calls of such no-ops, to memory that children do not get.)
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
"$DTRACE" -h -s myserv.d || fail "no header"
cat >app.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "myserv.h"
static void fire(void)
{
    for (int i = 0; i < 10; i++)
        MYSERV_IDLE();
}
int main(void)
{
    int dead = 0;
    for (int i = 0; i < 100; i++) {
        int ended;
        fire();
        if (fork() == 0) {
            fire();
            _exit(0);
        }
        wait(&ended);
        dead += ended != 0;
    }
    printf("%d dead\n", dead);
    return 0;
}
C
cc -O1 -o app app.c || fail "cc"
run -q -c ./app -n 'myserv$target:::idle { @ = count(); } END { printa("%@d calls\n", @); }'
ended 0
prints '0 dead'
prints '1000 calls'
# The same where the probe is one of many instructions.
address=$(objdump -d app | awk '/0f 1f 44 00 00/ { sub(":", "", $1); print $1; exit }')
[ -n "$address" ] || { [ "$(uname -m)" = x86_64 ] && fail "no such no-op"; exit 0; }
run -q -c ./app -n 'pid$target:a.out:fire: { @ = count(); } pid$target:a.out:main: { @ = count(); }'
ended 0
prints '0 dead'
