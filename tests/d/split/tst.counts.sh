# 1,000 clauses on a tracepoint and on a system call: each counts every event. Once as one firing goes through few
# programs, once through many.
# @@timeout 180
. "$(dirname "$0")/../cli/lib.bash"
clauses() {
    for i in $(seq 1000); do
        echo "$1 /pid == \$target/ { @a$((i % 7))[execname, $i] = count(); }"
    done
    echo "$1 /pid == \$target/ { n++; } END { printf(\"events %d\\n\", n); }"
}
for probe in sdt:sched::sched_process_exit syscall::dup2:entry; do
    clauses "$probe" > "$dir/a.d"
    for size in 16000 2000; do
        run -qs "$dir/a.d" -x progsize=$size -c "sh -c 'exec 5>&1 6>&1 7>&1'"
        ended 0
        said ''
        events=$(printf '%s\n' "$out" | sed -n 's/^events //p')
        [ "$events" -gt 0 ] || fail "nothing fired"
        lines=$(printf '%s\n' "$out" | awk -v n="$events" '$1 == "sh" && $3 == n' | wc -l)
        [ "$lines" = 1000 ] || fail "$probe: $lines of 1,000 clauses counted $events events"
    done
done
