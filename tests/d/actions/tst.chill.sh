# chill() holds the CPU up, but not for more than half a second of a second.
. "$(dirname "$0")/../cli/lib.bash"
run -qwn 'BEGIN { t = timestamp; chill(100000000); exit(0); } END { printf("%d", timestamp - t >= 100000000); }'
ended 0
printed 1
run -qwn 'BEGIN { chill(300000000); } BEGIN { chill(300000000); trace("no"); } BEGIN { chill(500000001); } BEGIN { chill(-1); } BEGIN { exit(0); }'
[ "$(printf '%s\n' "$err" | grep -c 'illegal operation in action #1')" = 3 ] || fail 'not three faults'
printed ''
run -qn 'BEGIN { chill(1); exit(0); }'
ended 1
says 'Destructive actions not allowed'
