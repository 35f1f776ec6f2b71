# $target is the first command or process; BEGIN may use it; its own output is not changed.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { printf("%d\n", $target); }' -c 'sh -c "echo \$\$"'
ended 0
[ "$(printf '%s\n' "$out" | sort -u | grep -c .)" = 1 ] || fail "two numbers"
run -qn 'END { printf("%d", $target); }' -c 'sleep 0' -c 'sleep 0.1'
ended 0
[ "$out" -gt 0 ] || fail "no number"
sleep 30 &
victim=$!
run -qn 'BEGIN { printf("%d %s", $target, $$target); exit(0); }' -p $victim
ended 0
printed "$victim $victim"
kill -0 $victim || fail "the process ended"
kill $victim
