# -P -m -f -n -i name probes, each by its own part of a description; the notice counts what matched.
. "$(dirname "$0")/lib.bash"
run -e -P dtrace; ended 0
run -q -P dtrace -n 'BEGIN { exit(4); }'; ended 4; printed ''
run -x zdefs -n 'BEGIN { exit(0); }' -f openat
ended 0
says "dtrace: description 'openat' matched 2 probes"
run -n 'BEGIN { exit(0); }' -f syscall::openat
says "dtrace: description 'syscall::openat' matched 2 probes"
run -n 'BEGIN { exit(0); }' -m sdt:sched
n=$("$DTRACE" -lm sdt:sched | tail -n +2 | wc -l)
[ "$n" -gt 10 ] || fail "$n probes of sched"
says "dtrace: description 'sdt:sched' matched $n probes"
run -n 'BEGIN { exit(0); }' -P dtrace
says "dtrace: description 'dtrace' matched 3 probes"
run -i 1 -n 'BEGIN { exit(0); }'
says "dtrace: description '1' matched 1 probe"
run -qP 'dtrace /0/ { trace("never"); }' -n 'BEGIN { exit(0); }'
ended 0
printed ''
run -qf 'syscall::openat { trace("never"); }' -n 'BEGIN { exit(0); }'
ended 0
run -qi '1 { printf("by id"); exit(0); }'
ended 0
printed 'by id'
