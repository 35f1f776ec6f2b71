# -G makes an object for applications whose header calls functions, and one that goes with those of -h.
# @@needs nothing
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
cat >old.c <<'C'
#include <stdio.h>
extern void __dtrace_myserv___query__start(const char *, int);
extern int __dtraceenabled_myserv___query__start(void);
int main(void)
{
    printf("%d\n", __dtraceenabled_myserv___query__start());
    __dtrace_myserv___query__start("hello", -1);
    return 0;
}
C
cc -O2 -c old.c
run -G -s myserv.d old.o; ended 0; printed ""
cc -Wl,--fatal-warnings -o old old.o myserv.o || fail "does not link"
[ "$(./old)" = 0 ] || fail "is not itself"
case $(uname -m) in
x86_64) want='query__start 8@%rdi -4@%esi' ;;
aarch64) want='query__start 8@x0 -4@w1' ;;
esac
[ "$(sites old)" = "$want" ] || fail "sites: $(sites old)"

run -h -s myserv.d; ended 0
cc -O2 -fPIC -c app.c
run -G -s myserv.d -o both.o old.o app.o; ended 0
cc -Wl,--fatal-warnings -o app app.o both.o || fail "does not link with the header's objects"
[ "$(./app)" = "0 enabled" ] || fail "is not itself"
cc -Wl,--fatal-warnings -shared -o lib.so app.o both.o || fail "makes no library"
