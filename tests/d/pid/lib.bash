# Helpers of the tests of the pid provider. Sources the helpers of the command-line tests.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"

# build NAME [FLAGS]: compiles the program on the standard input to $dir/NAME.
build() {
    local name=$1
    shift
    cat >"$dir/$name.c"
    cc -O1 -g0 -fno-inline -fno-ipa-cp -fno-optimize-sibling-calls -o "$dir/$name" "$dir/$name.c" "$@" || fail "cc: $name"
}

# A program that calls functions with known arguments; with an argument, again and again.
target() {
    build target "$@" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noipa)) long add(long a, long b) { return a + b; }
__attribute__((noipa)) long eight(int a, long b, long c, long d, long e, long f, long g, long h)
{
    return a + b + c + d + e + f + g + h;
}
__attribute__((noipa)) void nothing(void) { __asm__ volatile("" ::: "memory"); }
int main(int argc, char **argv)
{
    do {
        add(40, 2);
        eight(-1, 2, 3, 4, 5, 6, 7, 8);
        nothing();
        if (argc > 1)
            usleep(1000);
    } while (argc > 1);
    return 0;
}
C
}
