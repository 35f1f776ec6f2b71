# One-liners as a new user would type them.
. "$(dirname "$0")/../cli/lib.bash"
run -n 'syscall:::entry { @[execname, probefunc] = count(); } tick-300ms { exit(0); }'
ended 0
prints '  dtrace  '
run -n 'syscall::openat:entry { printf("%s %s", execname, copyinstr(arg1)); }' -c 'ls /'
ended 0
prints ' ls /'
run -n 'profile-997 { @[stack()] = count(); } tick-300ms { exit(0); }'
ended 0
prints 'vmlinux`'
run -n 'sdt:sched::sched_switch { @[args[1]->comm, args[2]->comm] = count(); } tick-300ms { exit(0); }'
ended 0
run -ln 'syscall:::'
ended 0
run -lvn syscall::openat:entry
ended 0
prints 'args[1]: '
start -n 'syscall::read:entry { self->ts = timestamp; } syscall::read:return /self->ts/ { @[execname] = quantize(timestamp - self->ts); self->ts = 0; }'
wait_for matched
sleep 0.3
cat /proc/self/maps > /dev/null
finish INT
ended 0
prints 'Distribution'
