# @@needs nothing
fail() { echo "$*"; exit 1; }
[ "$("$DTRACE" -ln syscall::openat:entry | head -1)" = "   ID   PROVIDER            MODULE                          FUNCTION NAME" ] || fail header
"$DTRACE" -ln syscall::openat:entry | sed -n 2p | grep -q '^ *[0-9]* *syscall *.* openat entry$' || fail row
n=$("$DTRACE" -ln 'syscall:::' | wc -l)
[ "$n" -gt 600 ] || fail "$n rows"
"$DTRACE" -lvn syscall::openat:entry | grep -q 'args\[1\]: .*char \*' || fail types
"$DTRACE" -ln syscall::nonsense:entry 2>/dev/null && fail "a match for nonsense"
true
