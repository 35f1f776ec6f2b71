# A definition whose arguments are translated: its types and translators come from a library that -L or -xlibdir names, for the
# header, the object and the script alike.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cd "$dir" || exit 1
mkdir lib
cat >lib/conn.d <<'D'
typedef struct app_conn { int fd; int port; } app_conn_t;
typedef struct conninfo_app { int ci_port; } conninfo_app_t;
#pragma D binding "1.6.1" translator
translator conninfo_app_t <app_conn_t *c> { ci_port = *(int *)copyin((uintptr_t)&((app_conn_t *)c)->port, sizeof (int)); };
D
cat >serve.d <<'D'
provider serve { probe request__start(app_conn_t *c) : (conninfo_app_t *c); };
#pragma D attributes Stable/Evolving/Common provider serve provider
#pragma D attributes Private/Private/Unknown provider serve module
#pragma D attributes Evolving/Evolving/ISA provider serve args
D
run -h -s serve.d; ended 1; says 'app_conn_t'; [ ! -e serve.h ] || fail "left a header"
run -h -s serve.d -x libdir=lib; ended 0
cat >serve.c <<'C'
typedef struct app_conn { int fd; int port; } app_conn_t;
#include "serve.h"
int main(void)
{
    app_conn_t c = { 1, 8080 };
    SERVE_REQUEST_START(&c);
    return 0;
}
C
cc -O1 -c serve.c || fail "cc"
run -G -s serve.d -x libdir=lib -o probes.o serve.o; ended 0
cc -o app serve.o probes.o || fail "does not link"
run -q -x libdir=lib -c ./app -n 'serve$target:::request-start { printf("%d\n", args[0]->ci_port); }'
ended 0; printed 8080
run -l -v -x libdir=lib -c ./app -n 'serve$target:::request-start'
ended 0; prints "conninfo_app_t *"
