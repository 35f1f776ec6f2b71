# Arguments and members that a tracepoint does not have.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
run -en 'sdt:sched::sched_switch { trace(args[9]); }'
ended 1
says 'index 9 is out of range'
run -en 'sdt:sched::sched_switch { trace(args[1]->nonsense); }'
ended 1
says 'nonsense is not a member of struct task_struct'
run -en 'sdt:sched:: { trace(args[0]->comm); }'
ended 1
says 'matches an unstable set of probes'
