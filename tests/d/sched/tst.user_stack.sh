# on-cpu sees the stack of the thread that comes, and where it waited.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sched:::off-cpu /pid == $target/ { self->t = timestamp; }
    sched:::on-cpu /self->t && timestamp - self->t > 50000000/ { @[ustack(), stack()] = count(); }
    sched:::on-cpu /self->t/ { self->t = 0; }' -c 'sleep 0.1'
ended 0
prints nanosleep
prints schedule
