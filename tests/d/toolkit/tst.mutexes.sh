# A mutex that is held for 20 ms, ten times, and that another waits for.
. "$(dirname "$0")/lib.bash"
script mutexes -c "$load mutex 10 20"
ended 0
printf '%s\n' "$out" | awk '$1 == "load`mutex" && $2 ~ /^0x[0-9a-f]+$/ { good = $3 == 20 && $4 >= 140000 && $6 >= 200000 && $6 < 4000000 && $7 >= 20000 && $7 <= $6 && $5 <= $4 } END { exit !good }' ||
    fail "another mutex"
