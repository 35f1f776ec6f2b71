# The target is killed in the middle: what was recorded is printed, END runs, the end is told.
. "$(dirname "$0")/../cli/lib.bash"
start -n 'BEGIN { printf("%d.", $target); } syscall::write:entry /pid == $target && arg2 == 9/ { n++; @["writes"] = count(); } END { printf("seen %d", n > 100); }' \
    -c 'dd if=/dev/zero of=/dev/null bs=9 status=none'
wait_for :BEGIN
sleep 0.3
kill -9 "$(sed -n 's/.*BEGIN \([0-9]*\)\..*/\1/p' "$dir/.out")"
finish
ended 0
says 'terminated by SIGKILL'
prints 'seen 1'
prints '  writes '
