# A process that runs another program at the same addresses: each stack has the names of its own program.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >first.c <<'C'
#include <unistd.h>
#include "put.h"
int n;
void FUNCTION(const char *next, const char *argument)
{
    n += put("x\n");
    execl(next, next, argument, (char *)0);
    n++;
}
int main(int argc, char **argv)
{
    FUNCTION(argc > 1 ? argv[1] : "/bin/true", argc > 2 ? argv[2] : (char *)0);
    return 0;
}
C
cp first.c second.c
build first -no-pie -fno-pie -static -DFUNCTION=early_one
build second -no-pie -fno-pie -static -DFUNCTION=later_one
run -qn 'syscall::write:entry /pid == $target/ { @[ustack(2)] = count(); @s[usym(uregs[R_PC]), pid - $target] = sum(arg2); ustack(2); }' \
    -c "./first $PWD/second"
ended 0
for name in first\`early_one second\`later_one; do
    [ "$(grep -c "^ *$name+0x" <<<"$out")" = 2 ] || fail "not twice: $name"
    [[ $out =~ $name\ +0\ +2 ]] || fail "no key: $name"
done
