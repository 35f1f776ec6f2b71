# droptags puts the tag before the text.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x droptags -x aggsize=4k -n 'syscall::write:entry /pid == $target/ { @[n++] = count(); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=20000 status=none'
ended 0
printf '%s\n' "$err" | grep -Eqv '^dtrace: \[DTRACEDROP_AGGREGATION\] [0-9]+ aggregation drops? on CPU [0-9]+$' && fail "other lines"
says DTRACEDROP_AGGREGATION
