# Calls by process and name; a report each interval and at the end.
. "$(dirname "$0")/lib.bash"
script syscalltop -c "$load calls 250"
ended 0
has "$(printf '%s\n' "$out" | awk '$3 == "getppid" { print $1 }') load getppid 250"
script syscalltop -c "$load sleep 1 1200" 1 1
[ "$(lines 'PID COMM SYSCALL COUNT')" = 2 ] || fail "not two reports"
[ "$(lines '.*')" -le 7 ] || fail "more than one line each"
