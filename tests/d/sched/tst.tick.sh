# tick interrupts the thread that uses the CPU.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sched:::tick /pid == $target/ { n++; wrong += args[0]->pr_lwpid != tid || args[1]->pr_pid != pid; }
    END { printf("%s %d\n", n >= 5 ? "ticks" : "none", wrong); }' -c 'timeout 0.5 bash -c "while :; do :; done"'
[ "$status" = 0 ] || [ "$status" = 1 ] || fail "status"
run -qn 'sched:::tick { @[execname] = count(); } tick-500ms { exit(0); }' -c 'bash -c "for ((i = 0; i < 300000; i++)); do :; done"'
ended 0
prints bash
