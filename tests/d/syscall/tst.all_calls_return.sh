# Entry and return probes of all calls at once, enabled and taken away quickly.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall:::entry { @e[probefunc] = count(); } syscall:::return { @r[probefunc] = count(); } tick-300ms { exit(0); }' \
    -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none'
ended 0
said ''
n=$(printf '%s\n' "$out" | awk '$1 == "read" && $2 > 19000' | wc -l)
[ "$n" -ge 1 ] || printf '%s\n' "$out" | grep -q ' read ' || fail "no reads"
