# Output to a file comes at switchrate; at the end all of it is there.
. "$(dirname "$0")/lib.bash"
start -q -x switchrate=50ms -n 'tick-50ms { printf("line\n"); } tick-1500ms { exit(0); }'
wait_for line
kill -0 "$pid" || fail "ended before it printed"
finish
ended 0
[ "$(printf '%s\n' "$out" | grep -c line)" -ge 20 ] || fail "lines are missing"
start -q -x switchrate=30s -n 'BEGIN { printf("first\n"); } tick-100ms { printf("late\n"); } tick-800ms { exit(0); }'
sleep 0.5
grep -q late "$dir/.out" && fail "before its time"
finish
ended 0
prints first
prints late
