# Two signals at once are one: timeout(1) sends its command two, and the report is printed.
. "$(dirname "$0")/lib.bash"
start -wqn 'BEGIN { printf("begun\n"); } END { system("sleep 0.3; echo report"); }'
wait_for begun
kill -INT "$pid"
sleep 0.03
finish INT
ended 0
prints report
timeout -s INT 0.5 "$DTRACE" -qn 'END { printf("report\n"); }' >"$dir/.out" 2>&1
grep -q report "$dir/.out" || fail "no report under timeout(1)"
