# -o appends, takes the header too, and leaves the messages on standard error.
. "$(dirname "$0")/lib.bash"
run -o "$dir/f" -n 'BEGIN { trace("one"); exit(0); }'
ended 0
printed ''
says 'matched 1 probe'
run -o "$dir/f" -qn 'BEGIN { printf("two\n"); exit(0); }'
ended 0
[ "$(grep -c FUNCTION:NAME "$dir/f")" = 1 ] || fail "no header in the file"
grep -q ':BEGIN   one  *$' "$dir/f" || fail "$(cat "$dir/f")"
grep -qx two "$dir/f" || fail "$(cat "$dir/f")"
run -lo "$dir/list" -n BEGIN
ended 0
