# Calls and bytes of a process; a report each interval and at the end.
. "$(dirname "$0")/lib.bash"
script rwtop -c "$load write 12 1000 $dir/file"
ended 0
like '[0-9]+ [0-9]+ load W 12 12000'
script rwtop -c "$load sleep 1 1200" 1
[ "$(lines 'UID PID COMM D CALLS BYTES')" = 2 ] || fail "not two reports"
