# Memory unmapped by a process whose other thread runs elsewhere: the other CPU is told.
. "$(dirname "$0")/lib.bash"
[ "$(nproc)" -gt 1 ] || exit 0
script crosscalls -c "$load unmap 200"
ended 0
n=$(printf '%s\n' "$out" | awk '$1 == "load" { on = 1 } /munmap/ { un = 1 } $2 == "calls" { if (on && un) n += $1; on = un = 0 } END { print n + 0 }')
between 20 "$n" 1000
