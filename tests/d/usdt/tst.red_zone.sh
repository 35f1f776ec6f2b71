# Tracing changes nothing of what a program computes, also where functions keep variables below their stack pointer: sites of
# our header are sure, five-byte no-ops of others stay breakpoints where the kernel would put calls in their place.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
run -h -s myserv.d; ended 0
cat >leaf.c <<'C'
#include <stdio.h>
#include "myserv.h"
__attribute__((noinline)) int leaf(int a)
{
    volatile int kept = a;
    MYSERV_QUERY_START("text", kept);
    return kept;
}
__attribute__((noinline)) int old(int a)
{
    volatile int kept = a;
#ifdef __x86_64__
    __asm__ volatile(".byte 0x0f, 0x1f, 0x44, 0x00, 0x00");
#endif
    return kept;
}
int main(void)
{
    int i, sum = 0;
    for (i = 1; i <= 100; i++)
        sum += leaf(i) + old(i);
    printf("%d\n", sum);
    return 0;
}
C
cc -O0 -o leaf leaf.c || fail "cc"
run -q -c ./leaf -n 'myserv$target:::query-start { @ = sum(arg1); } END { printa("%@d\n", @); }'
ended 0; said ""; printed "10100
5050"
# Every instruction of a function with such a no-op.
run -q -c ./leaf -n 'pid$target:a.out:old: { @[probename] = count(); } END { printa("%s %@d\n", @); }'
ended 0; said ""; prints 10100; prints "entry 100"
if [ "$(uname -m)" = x86_64 ]; then
    start=$(nm leaf | awk '$3 == "old" { print $1 }')
    site=$(objdump -d --disassemble=old leaf | awk '/0f 1f 44 00 00/ { sub(":", "", $1); print $1; exit }')
    [ -n "$site" ] || fail "no such no-op"
    prints "$(printf %x $((16#$site - 16#$start))) 100"
fi
# What calls others keeps nothing there, and is probed.
cat >calls.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    int i, sum = 0;
    for (i = 0; i < 10; i++) {
        sum += i;
#ifdef __x86_64__
        __asm__ volatile("990: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
            "	.pushsection .note.stapsdt, \"\", \"note\"\n	.balign 4\n	.4byte 992f - 991f, 994f - 993f, 3\n"
            "991:	.asciz \"stapsdt\"\n992:	.balign 4\n993:	.8byte 990b, 0, 0\n"
            "	.asciz \"calls\"\n	.asciz \"one\"\n	.asciz \"-4@%0\"\n994:	.balign 4\n	.popsection\n" : : "r" (i));
#endif
    }
    printf("%d\n", sum);
    return 0;
}
C
[ "$(uname -m)" = x86_64 ] || exit 0
cc -O0 -o calls calls.c || fail "cc"
run -q -c ./calls -n 'calls$target:::one { @ = sum(arg0); } END { printa("%@d\n", @); }'
ended 0; said ""; printed "45
45"
