# exit() ends tracing; a command that dtrace started does not outlive it stopped.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { exit(3); }' -c "touch $dir/ran"
ended 3
run -qn 'syscall::openat:entry /pid == $target/ { exit(4); }' -c "sh -c 'cat /dev/null; echo done > $dir/done'"
ended 4
for _ in $(seq 100); do [ -e "$dir/done" ] && break; sleep 0.02; done
[ -z "$(ps -o stat= --ppid $$ | grep '^[Tt]')" ] || fail "a stopped process is left"
