# A process whose probes are on five-byte no-ops forks while it is traced: its children live, and run the same code.
# (Linux 6.18 makes calls of such no-ops, to memory that children do not get.)
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
[ "$(uname -m)" = x86_64 ] || exit 0
cd "$dir" || exit 1
cat >app.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void fire(void)
{
    for (int i = 0; i < 10; i++)
        __asm__ volatile("990: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
            "	.pushsection .note.stapsdt, \"\", \"note\"\n	.balign 4\n	.4byte 992f - 991f, 994f - 993f, 3\n"
            "991:	.asciz \"stapsdt\"\n992:	.balign 4\n993:	.8byte 990b, 0, 0\n"
            "	.asciz \"forks\"\n	.asciz \"idle\"\n	.asciz \"-4@%0\"\n994:	.balign 4\n	.popsection\n" : : "r" (i));
}
int main(void)
{
    int dead = 0;
    for (int i = 0; i < 100; i++) {
        int ended;
        fire();
        if (fork() == 0) {
            fire();
            _exit(0);
        }
        wait(&ended);
        dead += ended != 0;
    }
    printf("%d dead\n", dead);
    return 0;
}
C
cc -O1 -fno-inline -o app app.c || fail "cc"
run -q -c ./app -n 'forks$target:::idle { @ = count(); } END { printa("%@d calls\n", @); }'
ended 0
prints '0 dead'
prints '1000 calls'
run -q -c ./app -n 'forks*:::idle { @ = count(); @last[probeprov] = max(arg0); } END { printa("%@d calls\n", @); }'
ended 0
prints '0 dead'
prints '2000 calls'
# The same where the probe is one of many instructions.
run -q -c ./app -n 'pid$target:a.out:fire: { @ = count(); } pid$target:a.out:main: { @ = count(); }'
ended 0
prints '0 dead'
