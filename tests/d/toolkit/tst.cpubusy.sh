# A program that computes for 100 ms has had a CPU that long.
. "$(dirname "$0")/lib.bash"
script cpubusy -c "$load burn 100"
ended 0
us=$(printf '%s\n' "$out" | awk '$2 == "load" { n += $4 } END { print n + 0 }')
[ "$us" -ge 90000 ] || fail "$us us only"
like '[0-9]+ swapper [0-9]+ [0-9]+'
