# Helpers of the tests of user stacks: programs with frame pointers whose functions are known.
. "$(dirname "$0")/../cli/lib.bash"
cd "$dir" || exit 1

# build NAME [FLAGS…]: compiles NAME.c; without optimisation even functions that call nobody have frame pointers.
build() {
    local name=$1
    shift
    cc -O0 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer "$name.c" -o "$name" "$@" || fail "cannot compile $name.c"
}

# put(): writes two bytes to the standard output from where it is used; the C library's frames stay out of the tests.
cat >put.h <<'C'
static inline __attribute__((always_inline)) long put(const char *text)
{
#ifdef __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(1L), "D"(1L), "S"(text), "d"(2L) : "rcx", "r11", "memory");
    return result;
#else
    register long number __asm__("x8") = 64, first __asm__("x0") = 1, second __asm__("x1") = (long)text, third __asm__("x2") = 2;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
    return first;
#endif
}
C

# A program that writes through three functions, as often as its first argument says.
chain() {
    cat >chain.c <<'C'
#include <stdlib.h>
#include "put.h"
char message[64] = "x\n";
int calls;
void inner(int n) { calls += put(message) + n; }
void middle(int n) { inner(n + 1); calls++; }
void outer(int n) { middle(n + 1); calls++; }
int main(int argc, char **argv)
{
    for (int n = argc > 1 ? atoi(argv[1]) : 1; n > 0; n--)
        outer(n);
    return 0;
}
C
    build chain "$@"
}

# The frames of `chain`, without offsets.
frames='chain`inner chain`middle chain`outer chain`main'

# functions: the first four frames of each stack that dtrace printed, one stack a line, without offsets.
functions() {
    sed 's/^ *//; s/+0x[0-9a-f]*$//' <<<"$out" |
        awk 'NF == 0 || /^[0-9]+$/ { if (line) print line; line = ""; n = 0; next }
             n++ < 4 { line = line (line ? " " : "") $0 } END { if (line) print line }'
}

# Every stack must be those functions.
all_are() {
    [ "$(functions | sort -u)" = "$1" ] || fail "frames are not: $1
but: $(functions | sort -u)"
}
