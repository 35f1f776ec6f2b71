# When dtrace is interrupted, a command it started is not left stopped.
. "$(dirname "$0")/../cli/lib.bash"
start -qn 'BEGIN { printf("ready\n"); } END { printf("end\n"); }' -c "sh -c 'echo \$\$ > $dir/pid; sleep 20'"
wait_for ready
for _ in $(seq 100); do [ -s "$dir/pid" ] && break; sleep 0.02; done
finish INT
ended 0
prints 'end'
victim=$(cat "$dir/pid")
state=$(awk '/^State/ { print $2 }' "/proc/$victim/status" 2>/dev/null)
pkill -P "$victim" 2>/dev/null
kill "$victim" 2>/dev/null
case $state in T | t) fail "left stopped" ;; esac
true
