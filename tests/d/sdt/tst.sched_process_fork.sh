# Parent and child of a fork.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:sched::sched_process_fork /args[0]->tgid == $target/ { printf("%d %d\n", args[0]->tgid == pid, args[1]->tgid != pid); }' -c 'sh -c "true & wait; (exit 0)"'
ended 0
[ "$(printf '%s\n' "$out" | grep -c '^1 1$')" -ge 1 ] || fail "no fork"
