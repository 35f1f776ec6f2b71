# A plain user gets one clear line, and can compile.
# @@needs setpriv
fail() { echo "$*"; exit 1; }
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
cp "$DTRACE" "$copy" && chmod 755 "$copy"
user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$copy" "$@" 2>&1; }
err=$(user -n BEGIN) && fail "no error"
echo "$err" | head -1 | grep -q '^dtrace: DTrace requires additional privileges' || fail "$err"
[ "$(echo "$err" | wc -l)" = 1 ] || fail "$err"
user -en 'syscall::read:entry { @[execname] = count(); }' || fail "cannot compile"
