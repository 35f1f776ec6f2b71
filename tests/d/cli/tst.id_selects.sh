# -i takes the number that -l shows; others are refused.
. "$(dirname "$0")/lib.bash"
id=$("$DTRACE" -ln syscall::read:return | awk 'NR == 2 { print $1 }')
run -l -i "$id"
ended 0
[ "$(printf '%s\n' "$out" | tail -1 | awk '{ print $1, $2, $3, $4 }')" = "$id syscall read return" ] || fail "another probe"
run -e -i 0
ended 1
says "dtrace: invalid probe specifier 0: "
run -e -i 99999999
ended 1
says "invalid probe identifier 99999999: Unknown probe identifier"
