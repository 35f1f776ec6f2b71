# A group of tracepoints enabled together; names in the keys.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:sched::sched_process_* { @[probefunc, probename, probemod] = count(); }' -c 'sh -c "/bin/true; /bin/true"'
ended 0
prints 'sched_process_exit'
prints 'sched_process_exec'
prints 'sched_process_fork'
run -n 'sdt:sched:: { @[probename] = count(); } tick-100ms { exit(0); }'
ended 0
prints sched_switch
