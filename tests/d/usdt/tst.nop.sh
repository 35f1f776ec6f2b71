# A site is a no-op of one byte, and one of ten bytes that newer kernels can turn into a jump.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
run -h -s myserv.d; ended 0
cc -O2 -c app.c || exit 1
[ "$(uname -m)" = x86_64 ] || exit 0
n=$(objdump -d app.o | grep -A1 '	90  *	nop$' | grep -c '66 2e 0f 1f 84 00 00 ')
[ "$n" -ge 4 ] || fail "no such no-ops: $(objdump -d app.o)"
