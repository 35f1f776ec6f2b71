# How the ends of -c processes are told.
. "$(dirname "$0")/../cli/lib.bash"
told() { printf '%s\n' "$err" | tail -1 | sed 's/pid [0-9]*/pid N/'; }
run -n END -c true
ended 0
[ "$(told)" = 'dtrace: pid N has exited' ] || fail "$(told)"
run -n END -c 'sh -c "exit 7"'
ended 0
[ "$(told)" = 'dtrace: pid N exited with status 7' ] || fail "$(told)"
run -n END -c 'sh -c "kill -KILL $$"'
ended 0
[ "$(told)" = 'dtrace: pid N terminated by SIGKILL' ] || fail "$(told)"
run -n END -c 'sh -c "kill -SEGV $$"'
[ "$(told)" = 'dtrace: pid N terminated by SIGSEGV' ] || fail "$(told)"
run -qn END -c 'sh -c "exit 7"'
ended 0
said ''
