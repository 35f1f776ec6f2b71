# Direct reads begin in the function of the system call.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iostacks -c "$load disk r 20 4096 65536 $loop" "$name"
ended 0
prints 'load, R'
like 'vmlinux`.*pread64\+.*'
[ "$(sum ' requests$')" = 0 ] && [ "$(printf '%s\n' "$out" | awk '/ requests$/ { n += $1 } END { print n }')" = 20 ] ||
    fail "not 20"
