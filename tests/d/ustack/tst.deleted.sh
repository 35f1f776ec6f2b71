# A program that deletes itself while it runs is still named, when it has ended too.
# @@needs cc
. "$(dirname "$0")/lib.bash"
cat >gone.c <<'C'
#include <unistd.h>
#include "put.h"
int n;
void last_words(void) { n += put("x\n"); }
int main(int argc, char **argv)
{
    usleep(300000);
    unlink(argv[0]);
    last_words();
    return 0;
}
C
build gone
run -qn 'syscall::write:entry /execname == "gone"/ { @[ustack(2)] = count(); }' -c 'sh -c "./gone; true"'
ended 0
[ ! -e gone ] || fail "not deleted"
prints 'gone`last_words+0x'
# Already deleted when tracing begins.
build gone
(sleep 0.6; ./gone) &
sleep 0.1
run -qn 'syscall::write:entry /execname == "gone"/ { @[ustack(2)] = count(); exit(0); }'
wait
prints 'gone`last_words+0x'
