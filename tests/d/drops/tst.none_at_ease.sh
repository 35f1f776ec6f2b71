# With the defaults a hundred thousand records of one process are all there.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /pid == $target && arg2 == 5/ { printf("%d %s\n", pid, execname); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=100000 status=none'
ended 0
said ''
[ "$(printf '%s\n' "$out" | grep -c ' dd$')" = 100000 ] || fail "records are missing"
