# Processes that start while tracing are traced from their first instruction if their file is known: no call is missed,
# is-enabled tests are true, probeprov has the number of each.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
"$DTRACE" -h -s myserv.d || fail "no header"
cat >app.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#include "myserv.h"
static void fire(void)
{
    for (int i = 0; i < 100; i++) {
        char text[] = "x";
        if (MYSERV_QUERY_START_ENABLED())
            MYSERV_QUERY_START(text, i);
    }
}
int main(int argc, char **argv)
{
    if (argc > 1)
        for (;;)
            pause();
    fire();
    return 0;
}
C
cc -O1 -o app app.c || fail "cc"
./app wait & first=$!
until [ "$(readlink /proc/$first/exe)" = "$dir/app" ]; do sleep 0.01; done
start -q -n 'BEGIN { printf("begun\n"); }
myser*:::query-start { @[probeprov] = count(); @all = count(); @sum = sum(arg1); }
syscall::exit_group:entry /execname == "last"/ { exit(0); }
END { printa("%s %@d\n", @); printa("all %@d\n", @all); printa("sum %@d\n", @sum); }'
wait_for begun
for ((i = 0; i < 20; i++)); do
    ./app & apps+=($!)
done
wait "${apps[@]}"
cp /bin/true last && ./last
finish
kill $first 2>/dev/null
ended 0
prints 'all 2000'
prints 'sum 99000'
for app in "${apps[@]}"; do prints "myserv$app 100"; done
[ "$(printf '%s\n' "$out" | grep -c '^myserv[0-9]* 100$')" = 20 ] || fail "not 20 processes"
