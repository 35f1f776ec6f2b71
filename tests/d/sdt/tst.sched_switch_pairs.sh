# Tasks named by sched_switch: who is switched away is the current one; aggregation by two names.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { wrong = 0; n = 0; } sdt:sched::sched_switch { n++; wrong += args[1]->pid != tid; @[args[1]->comm, args[2]->comm] = count(); }' \
    -n 'tick-300ms { exit(0); } END { printf("%d %d\n", n > 0, wrong); }' -c 'sleep 0.1' 
ended 0
prints '1 0'
prints '  sleep  '
