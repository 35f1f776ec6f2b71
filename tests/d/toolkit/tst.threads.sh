# Four threads of 20 ms.
. "$(dirname "$0")/lib.bash"
script threads -c "$load threads 4 20"
ended 0
like '[0-9]+ load 4 4 [0-9]+ [0-9]+'
printf '%s\n' "$out" | awk '$2 == "load" { exit !($5 >= 78 && $5 < 4000 && $6 >= 19 && $6 <= $5) }' || fail "not 20 ms each"
