# Round trips over the loopback take less than a second, and each segment with data counts.
. "$(dirname "$0")/lib.bash"
alone
script tcprtt -c "$load tcp 5 5000 1"
ended 0
prints '127.0.0.1, us:'
n=$(printf '%s\n' "$out" | awk '$2 ~ /^\|/ && $1 < 1000000 { n += $NF } END { print n }')
[ "$n" -ge 10 ] || fail "not 2 for each connection"
