# A target that becomes another program: probes of the old one stop, those of the new one come, and stay right when it becomes
# the old one again. A child of it is not traced.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
build first <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) long step(long n) { return n + 1; }
int main(int argc, char **argv)
{
    for (int i = 0; i < 100; i++) { step(1); usleep(1000); }
    if (fork() == 0) { for (int i = 0; i < 50; i++) step(2); _exit(0); }
    wait(NULL);
    int rounds = atoi(argv[2]);
    char left[12] = {'0' + rounds - 1};
    if (rounds > 0)
        execl(argv[1], argv[1], argv[0], left, NULL);
    return 0;
}
C
build second <<'C'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noipa)) long padding(long n) { return n * 3; }
__attribute__((noipa)) long step(long n) { return n + 1; }
__attribute__((noipa)) long other(long n) { return n + padding(n); }
int main(int argc, char **argv)
{
    for (int i = 0; i < 300; i++) { step(3); other(4); usleep(1000); }
    execl(argv[1], argv[1], argv[0], argv[2], NULL);
    return 1;
}
C
run -q -Z -c "$dir/first $dir/second 1" -n 'pid$target:first:step:entry { @first[arg0] = count(); }
    pid$target:second:step:entry { @second[arg0] = count(); } pid$target:second:other:return { @other[arg1] = count(); }
    pid$target:a.out:step:entry { @any[probemod] = count(); }
    END { printa("first(%d) %@d\n", @first); printa("second(%d) %@d\n", @second); printa("other %d %@d\n", @other);
    printa("any %s %@d\n", @any); }'
ended 0
# Twice this program, once the other.
prints 'first(1) 200'
prints 'any first 200'
[[ $out != *'(2)'* ]] || fail "a child was traced"
[ "$(printf '%s\n' "$out" | sed -n 's/^second(3) //p')" -gt 150 ] || fail "too few calls of the new program"
[ "$(printf '%s\n' "$out" | sed -n 's/^other 16 //p')" -gt 150 ] || fail "too few returns in the new program"
[ "$(printf '%s\n' "$out" | sed -n 's/^any second //p')" -gt 150 ] || fail "the new program is not a.out"
