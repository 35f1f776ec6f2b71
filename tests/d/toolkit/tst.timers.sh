# Sleeps end by the timer that wakes.
. "$(dirname "$0")/lib.bash"
script timers -c "$load sleep 20 1"
ended 0
n=$(printf '%s\n' "$out" | awk '$1 == "vmlinux`hrtimer_wakeup" { print $2 }')
[ "${n:-0}" -ge 20 ] || fail "not 20"
