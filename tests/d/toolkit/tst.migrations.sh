# A thread that goes to and fro ten times.
. "$(dirname "$0")/lib.bash"
[ "$(nproc)" -gt 1 ] || exit 0
script migrations -c "$load migrate 10"
ended 0
n=$(printf '%s\n' "$out" | awk '$1 == "load" && $2 == 0 && $3 == 1 { n = $4 } END { print n + 0 }')
between 9 "$n" 12
