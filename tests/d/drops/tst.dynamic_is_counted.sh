# Elements that no longer fit are counted; freed ones make room.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x dynvarsize=4k -n 'syscall::write:entry /pid == $target && arg2 == 5/ { a[n++] = 1; }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=20000 status=none'
ended 0
dropped=$(printf '%s\n' "$err" | sed -n 's/^dtrace: \([0-9]*\) dynamic variable drops$/\1/p' | awk '{ n += $1 } END { print n }')
[ "${dropped:-0}" -gt 15000 ] && [ "$dropped" -lt 20000 ] || fail "$dropped drops"
run -q -x dynvarsize=4k -n 'BEGIN { n = 0; }' -n 'syscall::write:entry /pid == $target && arg2 == 5/ { a[n] = 1; a[n] = 0; n++; }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=20000 status=none'
said ''
