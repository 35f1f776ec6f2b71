# Killed while tracing: no program of it stays in the kernel, nothing is pinned.
. "$(dirname "$0")/../cli/lib.bash"
start -qn 'BEGIN { printf("ready\n"); } syscall:::entry, profile-97, sdt:sched::sched_switch { @[probefunc] = count(); }'
wait_for ready
sleep 0.3
n=$(programs_of "$pid")
[ "$n" -ge 3 ] || { kill -9 "$pid"; fail "holds $n programs"; }
ids=$(cat /proc/"$pid"/fdinfo/* 2>/dev/null | sed -n 's/^prog_id:\t*//p' | sort -u)
kill -9 "$pid"
finish
[ "$status" = 137 ] || fail "not killed"
sleep 0.2
for id in $ids; do
    all_programs | grep -qx "$id" && fail "program $id is left"
done
[ -z "$(ls -A /sys/fs/bpf 2>/dev/null)" ] || fail "pinned: $(ls /sys/fs/bpf)"
