# The file of an exec, through two pointers.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:sched::sched_process_exec /pid == $target/ { printf("%s %s\n", stringof(args[2]->filename), execname); }' -c 'sh -c "exec /usr/bin/env true"'
ended 0
prints '/usr/bin/env env'
