# An empty clause prints its line, one that records nothing none, exit() one.
. "$(dirname "$0")/lib.bash"
run -n BEGIN -n 'BEGIN { }' -n 'BEGIN { x = 1; }' -n 'BEGIN { trace(7); }' -n 'BEGIN { exit(0); }'
ended 0
[ "$(printf '%s\n' "$out" | grep -c ':BEGIN ')" = 4 ] || fail "number of lines"
prints ':BEGIN         7'
