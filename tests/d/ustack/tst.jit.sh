# Code that is compiled at run time has the names of its perf map file, in frames and as symbols.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
[ "$(uname -m)" = x86_64 ] || exit 0
cat >jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "put.h"
int n;
void helper(void) { n += put("x\n"); }
/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
int main(void)
{
    char path[64];
    char *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(memory + 64, code, sizeof code);
    mprotect(memory, 4096, PROT_READ | PROT_EXEC);
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *file = fopen(path, "w");
    fprintf(file, "%lx %zx LazyCompile:*handler app.js:7\n", (unsigned long)memory + 64, sizeof code);
    fclose(file);
    ((void (*)(void (*)(void)))(memory + 64))(helper);
    usleep(1000000);
    ((void (*)(void (*)(void)))(memory + 64))(helper);
    unlink(path);
    return 0;
}
C
build jit
run -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { jstack(4); @[ustack(4)] = count(); }' -c ./jit
ended 0
[ "$(grep -c '^ *LazyCompile:\*handler app.js:7+0x6$' <<<"$out")" = 4 ] || fail "a compiled frame"
[ "$(grep -c '^ *jit`main+0x' <<<"$out")" = 4 ] || fail "its caller"
