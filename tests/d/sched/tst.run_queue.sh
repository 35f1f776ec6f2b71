# enqueue and dequeue frame the time that a thread waits for a CPU.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sched:::enqueue /args[1]->pr_pid == $target/ { queued++; @[args[0]->pr_lwpid == $target, args[2]->cpu_id >= 0, args[3]] = count(); }
    sched:::dequeue /args[0]->pr_lwpid == $target/ { ran++; }
    sched:::off-cpu /args[0]->pr_lwpid == $target/ { on_cpu++; }
    END { printf("%d %d\n", queued - ran <= 1 && ran - queued <= 1 && queued > 10, ran == on_cpu); printa("%d %d %d\n", @); }' \
    -c 'bash -c "for i in {1..20}; do sleep 0.001; done"'
ended 0
printed '1 1
1 1 0'
