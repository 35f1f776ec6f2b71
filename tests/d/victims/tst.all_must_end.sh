# With several commands the run ends when all have ended.
. "$(dirname "$0")/../cli/lib.bash"
run -n 'BEGIN { x = timestamp; } END { printf("%d", (timestamp - x) / 1000000 >= 300); }' -q -c 'sleep 0.01' -c 'sleep 0.3' -c 'true'
ended 0
printed 1
run -n END -c true -c 'sleep 0.1'
[ "$(printf '%s\n' "$err" | grep -c 'has exited')" = 2 ] || fail "two ends are to be told"
