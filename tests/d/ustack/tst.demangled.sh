# Names of C++ and Rust functions are shown as their sources have them, or as they are with -xdemangle=no.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >names.c <<'C'
#include <unistd.h>
#include "put.h"
int n;
void method(int) __asm__("_ZN5store5Table6insertEi");
void old_rust(int) __asm__("_ZN4core3fmt5write17h0123456789abcdefE");
void rust(int) __asm__("_RNvNtC4mine6nested4leaf");
void rust(int k) { n += put("x\n") + k; }
void old_rust(int k) { rust(k + 1); n++; }
void method(int k) { old_rust(k + 1); n++; }
int main(void) { method(1); return 0; }
C
build names
run -qn 'syscall::write:entry /pid == $target/ { ustack(4); @[usym(uregs[R_PC])] = count(); }' -c ./names
ended 0
prints 'names`mine::nested::leaf+0x'
prints 'names`core::fmt::write+0x'
prints 'names`store::Table::insert+0x'
[[ $out =~ names\`mine::nested::leaf\ +1 ]] || fail "a key"
run -qn 'syscall::write:entry /pid == $target/ { ustack(4); }' -xdemangle=no -c ./names
prints 'names`_ZN5store5Table6insertEi+0x'
prints 'names`_RNvNtC4mine6nested4leaf+0x'
