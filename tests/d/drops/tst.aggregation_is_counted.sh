# Keys that no longer fit are counted, and those that fit are exact.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x aggsize=4k -n 'syscall::write:entry /pid == $target && arg2 == 5/ { @[n++] = count(); @all = count(); } END { printa("all %@d\n", @all); }' \
    -c 'dd if=/dev/zero of=/dev/null bs=5 count=20000 status=none'
ended 0
dropped=$(printf '%s\n' "$err" | sed -n 's/^dtrace: \([0-9]*\) aggregation drops\{0,1\} on CPU [0-9]*$/\1/p' | awk '{ n += $1 } END { print n }')
printf '%s\n' "$err" | grep -v '^dtrace: [0-9]* aggregation drops\{0,1\} on CPU [0-9]*$' && fail "other lines"
prints 'all 20000'
n=$(printf '%s\n' "$out" | awk 'NF == 2 && $2 == 1' | wc -l)
[ "${dropped:-0}" -gt 0 ] && [ "$n" -gt 0 ] || fail "nothing was dropped, or all"
[ $((n + dropped)) = 20000 ] || fail "$n + $dropped is not 20000"
