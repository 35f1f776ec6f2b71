# A program that computes for 50 ms: its times on the CPU come to that.
. "$(dirname "$0")/lib.bash"
script oncpu -c "$load burn 50"
ended 0
# Each distribution row is a time from its value to twice that.
printf '%s\n' "$out" | awk '$2 ~ /^\|/ { low += $1 * $NF; high += 2 * $1 * $NF } END { exit !(low <= 80000 && high >= 50000) }' ||
    fail "not 50 ms together"
