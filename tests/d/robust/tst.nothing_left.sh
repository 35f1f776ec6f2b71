# After errors of every kind no BPF program of ours is left, and no process.
. "$(dirname "$0")/../cli/lib.bash"
children() { pgrep -P $$ -x dtrace | wc -l; }
run -qn 'syscall:::entry { @ = count(); } BEGIN { exit(1); }'
run -qn 'syscall:::entry { @ = count(); }' -c /no/such/command
run -qo /dev/full -n 'syscall:::entry { printf("x"); }'
run -wqn 'syscall:::entry { freopen("/no/such/dir/x"); exit(0); }'
[ "$(children)" = 0 ] || fail "a process is left"
for d in /proc/[0-9]*; do
    [ "$(readlink "$d/exe")" = "$(readlink -f "$DTRACE")" ] && [ "$(awk '{ print $4 }' "$d/stat")" = 1 ] && fail "an orphan is left: $d"
done
true
