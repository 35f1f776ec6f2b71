# The end of a process, by its tracepoint and members of its arguments.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:sched::sched_process_exit /args[0]->tgid == $target/ { printf("%s %d %d", args[0]->comm, args[0]->exit_code >> 8, args[0]->tgid == pid); }' -c 'sh -c "exit 6"'
ended 0
printed 'sh 6 1'
