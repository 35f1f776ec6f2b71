# Killed before it let its command go: the command does not stay, stopped, for ever.
. "$(dirname "$0")/../cli/lib.bash"
start -qn 'BEGIN { printf("ready\n"); } syscall:::entry { @[probefunc] = count(); }' -c "sh -c 'echo \$\$ > $dir/pid; sleep 5'"
wait_for ready
kill -9 "$pid"
finish
sleep 0.2
for p in $(pgrep -f "$dir/pid"); do
    state=$(awk '/^State/ { print $2 }' "/proc/$p/status")
    case $state in T | t) kill -9 "$p"; fail "$p is left stopped" ;; esac
    pkill -P "$p"; kill "$p" 2>/dev/null
done
true
