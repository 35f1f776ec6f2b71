# Requests and bytes of each process; a report each interval and at the end.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iotop -c "$load disk w 40 8192 65536 $loop"
ended 0
like "0 [0-9]+ load $name W 40 327680"
[ "$(lines 'UID PID COMM DEVICE D COUNT BYTES')" = 1 ] || fail "not one report"
script iotop -c "$load sleep 1 1300" 1
[ "$(lines 'UID PID COMM DEVICE D COUNT BYTES')" = 2 ] || fail "not two reports"
