# A program that deletes itself while it runs is still named, when it has ended too.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >gone.c <<'C'
#include <unistd.h>
#include "put.h"
int n;
void last_words(void) { n += put("x\n"); }
int main(int argc, char **argv)
{
    if (argc > 1)
        usleep(1000000);
    unlink(argv[0]);
    for (int i = argc > 1 ? 1 : 400; i > 0; i--) {
        last_words();
        if (argc == 1)
            usleep(100000);
    }
    return 0;
}
C
build gone
run -qn 'syscall::write:entry /execname == "gone"/ { @[ustack(2)] = count(); }' -c 'sh -c "./gone late; true"'
ended 0
[ ! -e gone ] || fail "not deleted"
prints 'gone`last_words+0x'
# Already deleted when tracing begins.
build gone
./gone >/dev/null 2>&1 &
victim=$!
while [ -e gone ]; do sleep 0.05; done
run -qn 'syscall::write:entry /execname == "gone"/ { @[ustack(2)] = count(); exit(0); }'
kill "$victim"
prints 'gone`last_words+0x'
