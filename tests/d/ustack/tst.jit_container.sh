# The perf map of a process in a container is the one in its own /tmp, under the number that it has there.
# @@needs cc unshare
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
    fprintf(file, "%lx %zx contained_%d\n", (unsigned long)memory + 64, sizeof code, (int)getpid());
    fclose(file);
    ((void (*)(void (*)(void)))(memory + 64))(helper);
    usleep(1000000);
    ((void (*)(void (*)(void)))(memory + 64))(helper);
    return 0;
}
C
build jit
unshare -m -p --fork true 2>/dev/null || { echo "no namespaces here"; exit 1; }
# The program is reached by a descriptor: its directory is hidden in there.
exec 9<./jit
run -qn 'syscall::write:entry /ppid != 0 && execname == "9"/ { @[ustack(3)] = count(); }' \
    -c "unshare -m -p --fork --mount-proc bash -c 'mount -t tmpfs none /tmp && exec /proc/self/fd/9'"
ended 0
grep -q '^ *contained_1+0x6$' <<<"$out" || fail "no name"
[ ! -e /tmp/perf-1.map ] || fail "the map is out here"
