# Processes that write to one file wait for it.
# @@needs probe=lockstat:::rw-block
. "$(dirname "$0")/lib.bash"
script lockwaits -c "$load inode 300 $dir/file"
ended 0
prints ', ns:'
[ "$(printf '%s\n' "$out" | awk '/^load, (rw|adaptive)-/ { on = 1 } $2 == "us" { if (on) n += $1; on = 0 } END { print (n > 1000) }')" = 1 ] ||
    fail "hardly waited"
like 'vmlinux`.*write.*'
