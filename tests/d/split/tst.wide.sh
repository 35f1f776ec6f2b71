# 200 probes and more with 64 aggregations with keys each; 10,000 clauses; 100 associative arrays on one tracepoint.
# @@timeout 240
. "$(dirname "$0")/../cli/lib.bash"
many() { for i in $(seq "$1"); do printf '%s\n' "${2//#/$i}"; done; }
target="sh -c 'exec 5>&1 6>&1 7>&1'"

(many 64 'syscall::[a-z]*:entry /pid == $target/ { @a#[probefunc, #] = count(); }'
    echo 'syscall::dup2:entry /pid == $target/ { n++; } END { printf("events %d\n", n); }') > "$dir/a.d"
[ "$("$DTRACE" -ln 'syscall::[a-z]*:entry' | wc -l)" -gt 200 ] || fail "not 200 probes"
run -qs "$dir/a.d" -c "$target"
ended 0
said ''
events=$(printf '%s\n' "$out" | sed -n 's/^events //p')
[ "$events" -gt 2 ] || fail "nothing fired"
lines=$(printf '%s\n' "$out" | awk -v n="$events" '$1 == "dup2" && $3 == n && !seen[$2]++' | wc -l)
[ "$lines" = 64 ] || fail "$lines of 64 aggregations counted $events events"

many 10000 'syscall::dup2:entry /pid == $target/ { @[#] = count(); }' > "$dir/b.d"
run -qs "$dir/b.d" -c "$target"
ended 0
said ''
lines=$(printf '%s\n' "$out" | awk -v n="$events" '$2 == n && !seen[$1]++' | wc -l)
[ "$lines" = 10000 ] || fail "$lines of 10,000 clauses counted $events events"

(echo 'int s;'; many 100 'sdt:sched::sched_process_exit /pid == $target/ { a#[pid, #] = #; }'
    many 100 'sdt:sched::sched_process_exit /pid == $target/ { s += a#[pid, #]; }'
    echo 'END { printf("%d", s); }') > "$dir/c.d"
run -qs "$dir/c.d" -c true
ended 0
said ''
printed 5050
