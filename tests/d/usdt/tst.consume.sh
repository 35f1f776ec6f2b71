# Probes of a program: arguments in every place, several places of one probe, its semaphore, patterns of providers.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >"$dir/app.c" <<'C'
#include <stdio.h>
#include <unistd.h>
unsigned short enabled __attribute__((section(".probes"), used));
long global = 77;
#define NOTE(name, args, ...)                                                                            \
    __asm__ volatile("990: nop\n"                                                                        \
                     ".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n" \
                     "991: .asciz \"stapsdt\"\n992: .balign 4\n"                                         \
                     "993: .8byte 990b,_.stapsdt.base,enabled\n.asciz \"app\"\n.asciz \"" name "\"\n"    \
                     ".asciz \"" args "\"\n994: .balign 4\n.popsection\n"                                \
                     ".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
                     ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"          \
                     ".size _.stapsdt.base,1\n.popsection\n.endif\n" : : __VA_ARGS__)
__attribute__((noipa)) void one(int a, long *b)
{
    NOTE("query__start", "-4@%%edi 8@(%%rsi) 8@8(%%rsi) -1@$-3 4@$5 2@%%di 1@%%al", "D"(a), "S"(b), "a"(0x1234));
}
__attribute__((noipa)) void two(long *b, long i)
{
    NOTE("query__start", "-4@(%%rsi,%%rcx,8) 8@-8(%%rsi,%%rcx,8) 8@global(%%rip) -1@$-4 4@$6 2@%%cx 1@%%ah", "S"(b), "c"(i), "a"(0x1234));
}
__attribute__((noipa)) void idle(void) { NOTE("idle", "", "a"(0)); }
int main(int argc, char **argv)
{
    long words[] = { -5, 11, 22, 33 };
    one(-1, words);
    two(words, 1);
    idle();
    printf("%d\n", enabled);
    while (argc > 1) { idle(); usleep(1000); }
    return 0;
}
C
[ "$(uname -m)" = x86_64 ] || exit 0
cc -O1 -o "$dir/app" "$dir/app.c" || fail "cc"
run -q -c "$dir/app" -n 'app$target:::query-start { printf("%s %d %d %d %d %d %d %x\n", probefunc, arg0, arg1, arg2, arg3, arg4, (short)arg5, arg6); }
app$target:app:idle:idle { printf("%s:%s:%s\n", probemod, probefunc, probename); }'
ended 0
printed '3
one -1 -5 11 -3 5 -1 34
two 11 -5 77 -4 6 1 12
app:idle:idle'
run -q -c "$dir/app" -n END; printed 0
run -l -c "$dir/app" -P 'app$target'
[ "$(printf '%s\n' "$out" | wc -l)" = 4 ] || fail "not three probes"
run -q -c "$dir/app" -n 'app$target:::query__start { printf("%d", args[3]); }'
prints '-3-4'
"$dir/app" on >/dev/null & a=$!
"$dir/app" on >/dev/null & b=$!
run -q -n 'ap[p]*:::idle { @[probeprov] = count(); } tick-500ms { exit(0); } END { printa("%s\n", @); }'
kill $a $b
ended 0
prints "app$a"; prints "app$b"
run -n 'app$target:::none { }' -c "$dir/app"; ended 1; says 'does not match any probes'
run -Zqn 'app$target:::none { }' -c "$dir/app"; ended 0
