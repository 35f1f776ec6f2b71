# A site is the five-byte no-op that kernels can turn into a call.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
run -h -s myserv.d; ended 0
cc -O2 -c app.c || exit 1
[ "$(uname -m)" = x86_64 ] || exit 0
[ "$(objdump -d app.o | grep -c '0f 1f 44 00 00 *	*nopl')" -ge 4 ] || fail "no such no-ops: $(objdump -d app.o)"
