# Probes in templates, inline and static functions of several C++ objects: each fires as often as its code runs, whatever the
# optimisation, with -G or without, and -G may be run again.
# @@needs c++
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cd "$dir" || exit 1
echo 'provider app { probe start(int n, char *s); probe done(int n); probe never(int x); };' >app.d
run -h -s app.d; ended 0
cat >shared.h <<'C'
#include "app.h"
template <class T> struct box {
    T v;
    T get() { APP_START((int)v, (char *)"text"); return v; }
};
inline int once(int x) { if (APP_DONE_ENABLED()) APP_DONE(x); return x + 1; }
int other(int);
C
cat >one.cc <<'C'
#include <cstdio>
#include "shared.h"
static int own(int x) { APP_DONE(x * 2); return x; }
int main()
{
    box<int> a{3};
    box<long> b{4};
    std::printf("%d ", a.get());
    std::printf("%ld ", b.get());
    std::printf("%d %d %d\n", once(5), own(6), other(7));
}
C
cat >two.cc <<'C'
#include "shared.h"
int other(int x)
{
    box<int> a{x};
    return a.get() + once(x);
}
C
# traced NAME: the program and what its probes saw.
traced() {
    run -q -c "./$1" -n 'app$target::: { @[probename, (int)arg0] = count(); } END { printa("%s %d %@d\n", @); }'
    ended 0; said ""
    [ "$(printf '%s\n' "$out" | sort | tr '\n' ' ')" = "3 4 6 6 15 done 12 1 done 5 1 done 7 1 start 3 1 start 4 1 start 7 1 " ] ||
        fail "$2: wrong"
}
for flags in -O0 -O2 "-O2 -fPIC -shared-libgcc -pie" "-O3 -ffunction-sections -Wl,--gc-sections" "-O2 -flto" "-O1 -static"; do
    c++ $flags -Wall -Werror -o app one.cc two.cc || fail "c++ $flags"
    traced app "$flags"
done
c++ -O1 -c one.cc two.cc || fail "c++ -c"
run -G -s app.d -o probes.o one.o two.o; ended 0
run -G -s app.d -o again.o one.o two.o probes.o; ended 0
run -G -s app.d -o probes.o one.o two.o; ended 0
c++ -Wl,--fatal-warnings -o app one.o two.o probes.o || fail "does not link"
traced app "-G"
c++ -Wl,--fatal-warnings -o app one.o two.o again.o || fail "does not link with what was made again"
traced app "-G twice"
