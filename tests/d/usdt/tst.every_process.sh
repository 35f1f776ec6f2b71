# Processes that start while tracing are traced from their first instruction if their file is known: no call is missed,
# is-enabled tests are true, probeprov has the number of each. Their children are traced too.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
# Other tests have processes of the other name.
sed -i 's/myserv/everyserv/' myserv.d
"$DTRACE" -h -o myserv.h -s myserv.d || fail "no header"
cat >app.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "myserv.h"
static void fire(void)
{
    for (int i = 0; i < 100; i++) {
        char text[] = "x";
        if (EVERYSERV_QUERY_START_ENABLED())
            EVERYSERV_QUERY_START(text, i);
    }
}
int main(int argc, char **argv)
{
    if (argc > 1)
        for (;;)
            pause();
    fire();
    if (fork() == 0) {
        fire();
        _exit(0);
    }
    int ended;
    wait(&ended);
    return ended != 0;
}
C
cc -O1 -o app app.c || fail "cc"
./app wait & first=$!
until [ "$(readlink /proc/$first/exe)" = "$dir/app" ]; do sleep 0.01; done
start -q -n 'BEGIN { printf("begun\n"); }
everyse*:::query-start { @[probeprov] = count(); @all = count(); @sum = sum(arg1); }
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
prints 'all 4000'
prints 'sum 198000'
for app in "${apps[@]}"; do prints "everyserv$app 100"; done
[ "$(printf '%s\n' "$out" | grep -c '^everyserv[0-9]* 100$')" = 40 ] || fail "not 40 processes"
