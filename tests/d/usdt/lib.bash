# Helpers of the tests that build applications with probes. Sources the helpers of the command-line tests.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"

# The provider of these tests, as NAME.d in the scratch directory.
provider() {
    cat >"$dir/myserv.d" <<'D'
typedef struct req { int id; char *path; } req_t;
provider myserv {
    probe query__start(char *text, int conn);
    probe query__done(char *text, int conn, uint64_t ns, short rc);
    probe req(req_t *r);
    probe idle();
};
#pragma D attributes Evolving/Evolving/Common provider myserv provider
D
}

# An application that uses it, as app.c.
application() {
    cat >"$dir/app.c" <<'C'
#include <stdio.h>
#include <string.h>
#include "myserv.h"

struct req { int id; const char *path; };

int main(void)
{
    int i, enabled = 0;
    for (i = 0; i < 3; i++) {
        char text[16];
        struct req r;
        strcpy(text, "query");
        r.id = i;
        r.path = text;
        MYSERV_QUERY_START(text, i);
        if (MYSERV_REQ_ENABLED()) {
            enabled++;
            MYSERV_REQ(&r);
        }
        MYSERV_QUERY_DONE(text, -i, 1UL << 40, -2);
        MYSERV_IDLE();
    }
    printf("%d enabled\n", enabled);
    return 0;
}
C
}

# sites FILE: `probe arguments' of every site of myserv.
sites() {
    readelf -n "$1" | awk '$1 == "Provider:" { p = $2 } $1 == "Name:" { n = $2 }
        $1 == "Arguments:" { $1 = ""; if (p == "myserv") print n $0 }'
}
