# Files as they come: static, not position-independent, stripped (only what is exported has a name then), with the symbols in a
# file of their own, found by build id and by .gnu_debuglink, and with the compressed table of .gnu_debugdata.
# @@needs cc
# @@needs xz
# @@timeout 120
. "$(dirname "$0")/lib.bash"
source='#include <stdio.h>
__attribute__((noipa, visibility("default"))) long add(long a, long b) { return a + b; }
__attribute__((noipa)) static long hidden(long n) { return n * 2; }
int main(void) { printf("%ld\n", hidden(add(40, 2))); return 0; }'
make() { name=$1; shift; build "$name" -Wl,--build-id "$@" <<<"$source"; }
# has NAME: both functions are traced; exports NAME: only the one that has a name.
program='pid$target:NAME:add:entry { printf("add %d\n", arg1); ufunc(uregs[R_RIP]); } pid$target:a.out:add:return { printf("sum %d\n", arg1); }'
[ "$(uname -m)" = x86_64 ] || program=${program/R_RIP/R_PC}
has() {
    run -q -c "$dir/$1" -n "${program/NAME/$1}"' pid$target:a.out:hidden:entry { printf("hidden %d\n", arg0); }'
    ended 0
    prints 'add 2'; prints 'sum 42'; prints 'hidden 42'; prints "$1\`add"
}
exports() {
    run -q -c "$dir/$1" -n "${program/NAME/$1}"
    ended 0
    prints 'add 2'; prints 'sum 42'; prints "$1\`add"
    run -q -c "$dir/$1" -n 'pid$target:a.out:hidden:entry { printf("hidden"); }'
    ended 1
    says "failed to lookup 'hidden' in module 'a.out'"
}
make plain; has plain
make static -static; has static
make static_pie -static-pie; has static_pie
make fixed -no-pie; has fixed
make stripped -rdynamic; strip "$dir/stripped"; exports stripped
make fixed_stripped -rdynamic -no-pie; strip "$dir/fixed_stripped"; exports fixed_stripped

make linked -g
objcopy --only-keep-debug "$dir/linked" "$dir/linked.debug"
strip "$dir/linked"
(cd "$dir" && objcopy --add-gnu-debuglink=linked.debug linked) || fail "objcopy"
has linked
# A file by that name which is of another program does not count.
cp "$dir/plain" "$dir/linked.debug"
run -q -c "$dir/linked" -n 'pid$target:a.out:hidden:entry'
ended 1
mkdir "$dir/.debug"
objcopy --only-keep-debug "$dir/plain" "$dir/.debug/linked.debug"
run -q -c "$dir/linked" -n 'pid$target:a.out:hidden:entry'
ended 1

make known -g
id=$(readelf -n "$dir/known" | awk '/Build ID/ { print $3 }')
debug=/usr/lib/debug/.build-id/${id:0:2}
trap 'rm -rf "$dir" "$debug/${id:2}.debug"; rmdir -p "$debug" 2>/dev/null' EXIT
mkdir -p "$debug" && objcopy --only-keep-debug "$dir/known" "$debug/${id:2}.debug" || fail "no debug file"
strip "$dir/known"
has known

make mini -g
nm -S "$dir/mini" --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' | sort >"$dir/keep"
(cd "$dir" && objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep mini mini.data &&
    xz -9 mini.data && strip mini && objcopy --add-section .gnu_debugdata=mini.data.xz mini) || fail "mini"
has mini
