# -p follows a process, ends with it, and says so.
. "$(dirname "$0")/../cli/lib.bash"
sleep 0.4 &
victim=$!
run -n 'END { printf("done"); }' -p $victim
ended 0
says "dtrace: pid $victim has exited"
prints done
sh -c 'sleep 0.3; exit 5' &
victim=$!
run -qn 'END { printf("done"); }' -p $victim
ended 0
printed 'done'
