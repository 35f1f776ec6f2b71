# Thirty commands at once; the first is $target; none is left.
. "$(dirname "$0")/../cli/lib.bash"
commands=()
for i in $(seq 30); do commands+=(-c "sh -c 'exit $i'"); done
run -n 'syscall::exit_group:entry /ppid == $pid && execname == "sh"/ { @ = sum(arg0); } syscall::exit_group:entry /pid == $target/ { printf("first %d", arg0); }' "${commands[@]}"
ended 0
prints 'first 1'
prints ' 465'
[ "$(printf '%s\n' "$err" | grep -c 'exited with status')" = 30 ] || fail "not 30 ends"
