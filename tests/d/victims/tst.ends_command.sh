# A command of -c does not outlive dtrace, however that ends; what it has started itself, and a process of -p, do.
. "$(dirname "$0")/../cli/lib.bash"
gone() {
    for _ in $(seq 100); do kill -0 "$1" 2>/dev/null || return; sleep 0.02; done
    kill -9 "$1"
    fail "$2: the command goes on"
}
ready='BEGIN { printf("%d ready\n", $target); }'
run -qn "$ready tick-10hz { exit(3); }" -c 'sleep 61'
ended 3
gone "${out%% *}" 'exit()'
start -qn "$ready" -c 'sleep 62'
wait_for ready
finish INT
ended 0
gone "${out%% *}" interrupt
# It may end as it wants to.
start -qn "$ready" -c "sh -c 'trap \"echo tidy >$dir/tidy; kill \$!; exit\" TERM; sleep 63 & echo \$! >$dir/child; wait'"
wait_for ready
for _ in $(seq 100); do [ -s "$dir/child" ] && break; sleep 0.02; done
finish INT
gone "${out%% *}" 'a command with a trap'
[ "$(cat "$dir/tidy")" = tidy ] || fail "not asked to end"
sleep 64 &
other=$!
start -qn "$ready" -p $other
wait_for ready
finish INT
kill -0 $other 2>/dev/null || fail "a process of -p was ended"
kill $other
# Ended before it has begun to trace: the command never runs.
for signal in INT KILL; do
    start -qn "$ready syscall:::entry, syscall:::return { @[probefunc] = count(); }" -c "touch $dir/ran.$signal"
    for _ in $(seq 500); do
        child=$(pgrep -P $pid -x touch) && break
        sleep 0.002
    done
    finish $signal
    [ -z "$child" ] || gone "$child" "$signal, held"
    grep -q ready "$dir/.out" || [ ! -e "$dir/ran.$signal" ] || fail "$signal: it ran untraced"
done
