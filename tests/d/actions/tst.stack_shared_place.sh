# stack(n) has n frames also where other tracers use the same tracepoint, through which the kernel then goes another way.
. "$(dirname "$0")/../cli/lib.bash"
alone() {
    run -qn 'syscall::write:entry /pid == $target/ { stack(2); @[stack(2)] = count(); exit(0); }' -c 'echo'
    ended 0
    frames=$(printf '%s\n' "$out" | grep -c '`')
    [ "$frames" = 4 ] || fail "$frames frames, not 2 and 2"
    printf '%s\n' "$out" | grep -qE '`(do_syscall_64|(do_)?el0_svc)' || fail "not the second frame"
}
alone
start -qn 'BEGIN { printf("ready\n"); } syscall::write:entry { n++; } syscall::getppid:entry { m++; }'
wait_for ready
sleep 0.2
alone
kill -INT "$pid"; wait "$pid"
