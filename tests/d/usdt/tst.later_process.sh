# A pattern for the provider finds processes that start while tracing.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
"$DTRACE" -h -s myserv.d || fail "no header"
cat >app.c <<'C'
#include <unistd.h>
#include "myserv.h"
int main(void) { for (int i = 0; i < 5000; i++) { MYSERV_IDLE(); usleep(2000); } return 0; }
C
cc -O1 -o app app.c || fail "cc"
./app & first=$!
until [ "$(readlink /proc/$first/exe)" = "$dir/app" ]; do sleep 0.01; done
start -q -n 'BEGIN { printf("begun\n"); } myser*:::idle { @[probeprov] = count(); } tick-5s { exit(0); } END { printa("%s %@d\n", @); }'
wait_for begun
./app & second=$!
finish
kill $first $second 2>/dev/null
ended 0
prints "myserv$first "; prints "myserv$second "
