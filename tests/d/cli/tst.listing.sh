# -S shows the compiled code, on standard error, beside what the program does.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -e -S -n 'BEGIN { x = 1; }'
ended 0
printed ''
says 'exit'
[ "$(printf '%s\n' "$err" | wc -l)" -gt 5 ] || fail "no listing"
