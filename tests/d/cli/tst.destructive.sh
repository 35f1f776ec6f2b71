# Destructive actions need -w, and say so.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { system("echo ran"); exit(0); }'
ended 1
printed ''
said 'dtrace: could not enable tracing: Destructive actions not allowed'
run -wn 'BEGIN { system("echo ran"); exit(0); }'
ended 0
says 'dtrace: allowing destructive actions'
prints ran
run -wqn 'BEGIN { system("echo ran"); exit(0); }'
ended 0
said ''
printed ran
run -q -x destructive -n 'BEGIN { system("echo %s %d", "ran", 2); exit(0); }'
printed 'ran 2'
run -qn 'BEGIN { freopen("/dev/null"); exit(0); }'
ended 1
says 'Destructive actions not allowed'
for a in 'stop()' 'raise(1)'; do
    run -qn "END { $a; }" -n 'BEGIN { exit(0); }'
    ended 1
    said 'dtrace: could not enable tracing: Destructive actions not allowed'
done
