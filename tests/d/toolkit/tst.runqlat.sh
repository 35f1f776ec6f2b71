# Two processes that want one CPU wait for it half of the time.
. "$(dirname "$0")/lib.bash"
script runqlat -c "$load share 150"
ended 0
prints 'load, us:'
# Each uses 150 ms, so the CPU has 300 ms of work, and the two wait about 150 ms each, the last to end less.
us=$(printf '%s\n' "$out" | sed -n 's/^all together, us: *//p')
[ "$us" -ge 100000 ] || fail "waited $us us only"
start -s "$toolkit/scheduler/runqlat.d"
wait_for Tracing
"$load" share 50
finish INT
ended 0
like 'CPU 0, us:'
[ "$(lines 'load, us:')" = 0 ] || fail "by command without -c"
