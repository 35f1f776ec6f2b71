# Each request has its time.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iolatency -c "$load disk r 25 4096 65536 $loop" "$name"
ended 0
prints "$name, R, us:"
like "$name, R: 25 requests, average [0-9]+ us, longest [1-9][0-9]* us"
[ "$(lines '[0-9]+ \|@* +[0-9]+')" -gt 0 ] || fail "no distribution"
printf '%s\n' "$out" | awk '/average/ { exit !($6 > 0 && $6 <= $9 && $9 < 5000000) }' || fail "average and longest"
