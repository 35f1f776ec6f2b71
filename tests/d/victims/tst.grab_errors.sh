# Processes that cannot be followed: one line, status.
. "$(dirname "$0")/../cli/lib.bash"
run -qn BEGIN -p 99999999
ended 1
said 'dtrace: failed to grab pid 99999999: No such process'
run -qn BEGIN -p 12x
ended 2
says 'dtrace: invalid pid: 12x'
run -qn BEGIN -p 0
[ "$status" != 0 ] || fail "pid 0 is taken"
