# Predicates by pid, execname and uid see only what they say.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /execname == "dd" && arg2 == 11 && uid == 0/ { @[execname, pid == $target, ppid == $pid, uid] = count(); }' -c 'dd if=/dev/zero of=/dev/null bs=11 count=7 status=none'
ended 0
printed "$(printf '\n  %-50s %8d %8d %8d %16d' dd 1 1 0 7)"
