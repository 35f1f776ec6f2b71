# Children that run no other program, of a parent that is older than tracing, and ended before anything is printed.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >parent.c <<'C'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "put.h"
int n;
void in_child(void) { n += put("x\n"); }
void grandchild(void)
{
    if (fork() == 0) {
        in_child();
        _exit(0);
    }
    wait(0);
}
int main(void)
{
    char c;
    while (read(0, &c, 1) == 1) {
        if (fork() == 0) {
            grandchild();
            _exit(0);
        }
        wait(0);
    }
    return 0;
}
C
build parent
mkfifo pipe
./parent <pipe >/dev/null 2>&1 &
victim=$!
exec 9>pipe
start -qn 'tick-100ms /!told++/ { printf("ready\n"); } syscall::write:entry /execname == "parent"/ { @[ustack(2)] = count(); }' -p "$victim" 9>&-
wait_for ready
printf abc >&9
exec 9>&-
finish
ended 0
[ "$(grep -c '^ *parent`in_child+0x' <<<"$out")" = 3 ] || fail "children of an old process"
