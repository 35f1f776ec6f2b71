# Reading zeros takes its time below the system call.
. "$(dirname "$0")/lib.bash"
script kstackprof -c "$load read 20 8000000 /dev/zero" 50
ended 0
n=$(printf '%s\n' "$out" | awk '/read_zero|vfs_read/ { on = 1 } $2 == "samples" { if (on) n += $1; on = 0 } END { print n + 0 }')
[ "$n" -ge 8 ] || fail "$n samples only"
