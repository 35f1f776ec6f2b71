# Ten sleeps; and two processes that take the CPU from each other.
. "$(dirname "$0")/lib.bash"
script switches -c "$load sleep 10 2"
ended 0
n=$(printf '%s\n' "$out" | awk '$2 == "load" { print $3 }')
between 10 "${n:-0}" 25
script switches -c "$load share 100"
n=$(printf '%s\n' "$out" | awk '$2 == "load" { n += $4 } END { print n }')
between 4 "$n" 100000
