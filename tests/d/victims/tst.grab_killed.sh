# The traced process is killed: the run ends, what was recorded is printed.
. "$(dirname "$0")/../cli/lib.bash"
sleep 30 &
victim=$!
start -qn 'BEGIN { printf("ready\n"); @["kept"] = count(); }' -p $victim
wait_for ready
kill -9 $victim
finish
ended 0
prints '  kept '
