# -o appends; a full disk is one clear error.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
fail() { echo "$*"; exit 1; }
echo old > "$dir/out"
"$DTRACE" -qo "$dir/out" -n 'BEGIN { printf("new"); exit(0); }' || fail status
[ "$(cat "$dir/out")" = "old
new" ] || fail "$(cat "$dir/out")"
err=$("$DTRACE" -qo /dev/full -n 'BEGIN { printf("new"); exit(0); }' 2>&1) && fail "no error"
[ "$err" = "dtrace: failed to write output: No space left on device" ] || fail "$err"
err=$("$DTRACE" -qo /no/such/dir/x -n 'BEGIN { exit(0); }' 2>&1) && fail "no error"
[ "$err" = "dtrace: failed to open output file '/no/such/dir/x': No such file or directory" ] || fail "$err"
err=$( { "$DTRACE" -qn 'tick-1ms { printf("%d\n", n++); }' | head -1 >/dev/null; exit "${PIPESTATUS[0]}"; } 2>&1)
status=$?
[ "$status $err" = "1 dtrace: failed to write output: Broken pipe" ] || fail "$status $err"
