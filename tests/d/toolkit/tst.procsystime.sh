# Calls by count, time, CPU time and time waited.
. "$(dirname "$0")/lib.bash"
script procsystime -c "$load sleep 10 10"
ended 0
printf '%s\n' "$out" | awk '
    $1 == "clock_nanosleep" { good = $2 == 10 && $3 >= 100000 && $3 < 1000000 && $4 < 20000 && $5 >= 80000 && $3 - $4 - $5 <= 1; last = NR }
    $1 == "TOTAL" { exit !(good && NR == last + 1 && $2 > 10 && $3 >= 100000) }
    END { if (!good) exit 1 }' || fail "not 10 sleeps of 10 ms, greatest last"
script procsystime -c "sh -c '$load calls 50; /bin/true'" load
like 'getppid 50 [0-9]+ [0-9]+ [0-9]+'
[ "$(lines "execve .*")" = 0 ] || fail "of another name"
script procsystime -c "$load calls 50" none
[ "$(lines 'getppid.*')" = 0 ] || fail "of another name"
