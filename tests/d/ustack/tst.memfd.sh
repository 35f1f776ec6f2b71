# A program that is only in memory (memfd), and a library that was replaced while it is used, have their names.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >inner.c <<'C'
#include "put.h"
int n;
void in_memory(void) { n += put("x\n"); }
int main(void) { in_memory(); return 0; }
C
build inner
cat >outer.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
extern char **environ;
int main(void)
{
    int file = open("inner", O_RDONLY), memory = memfd_create("hidden", MFD_CLOEXEC);
    char *args[] = { "inner", 0 };
    while (sendfile(memory, file, 0, 1 << 20) > 0) { }
    return fexecve(memory, args, environ);
}
C
cc -o outer outer.c || fail "cc"
run -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { @[ustack(2)] = count(); }' -c ./outer
ended 0
prints '`in_memory+0x'
prints '`main+0x'

cat >lib.c <<'C'
#include "put.h"
int n;
void old_version(void) { n += put("x\n"); }
C
cc -O0 -fno-omit-frame-pointer -shared -fPIC -o libv.so lib.c || fail "cc"
cat >user.c <<'C'
#include <stdio.h>
#include <unistd.h>
void old_version(void);
int main(void) { for (int i = 0; i < 1200; i++) { old_version(); usleep(50000); } return 0; }
C
build user -L. -lv -Wl,-rpath,.
./user >/dev/null &
user=$!
sleep 0.3
sed 's/old_version/new_version/' lib.c >lib2.c
cc -O0 -fno-omit-frame-pointer -shared -fPIC -o libv2.so lib2.c && mv libv2.so libv.so
run -qn 'syscall::write:entry /pid == $target && arg0 == 1/ { @[ustack(2)] = count(); } tick-1s { exit(0); }' -p $user
kill $user
ended 0
prints 'libv.so`old_version+0x'
prints 'user`main+0x'
