# What was printed and what was dropped add up to what happened; the text is that of the reference.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x bufsize=4k -x switchrate=1s -n 'syscall::write:entry /pid == $target && arg2 == 5/ { printf("record\n"); }' \
    -c 'dd if=/dev/zero of=/dev/null bs=5 count=30000 status=none'
ended 0
dropped=$(printf '%s\n' "$err" | sed -n 's/^dtrace: \([0-9]*\) drops\{0,1\} on CPU [0-9]*$/\1/p' | awk "{ n += \$1 } END { print n }")
printf '%s\n' "$err" | grep -v '^dtrace: [0-9]* drops\{0,1\} on CPU [0-9]*$' && fail "other lines"
n=$(printf '%s\n' "$out" | grep -c record)
[ "${dropped:-0}" -gt 0 ] || fail "nothing was dropped"
[ $((n + dropped)) = 30000 ] || fail "$n + $dropped is not 30000"
