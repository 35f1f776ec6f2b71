# A description is read from its right end; empty parts match all.
. "$(dirname "$0")/../cli/lib.bash"
count() { "$DTRACE" -ln "$1" | tail -n +2 | wc -l; }
all=$(count syscall:::)
[ "$all" -gt 600 ] || fail "$all system call probes"
[ "$(count syscall:::entry)" -gt 300 ] || fail entry
[ $(( $(count syscall:::entry) + $(count syscall:::return) )) = "$all" ] || fail "entry and return are not all"
[ "$(count 'syscall::*:')" = "$all" ] || fail "a star matches less"
[ "$("$DTRACE" -lP syscall | tail -n +2 | wc -l)" = "$all" ] || fail "-P lists another number"
[ "$(count 'sched_switch')" -ge 1 ] || fail "a name alone"
run -ln 'a:b:c:d:e'
ended 1
