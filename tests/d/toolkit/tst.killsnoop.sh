# Signals to children.
. "$(dirname "$0")/lib.bash"
script killsnoop -c "$load kill 3 15"
ended 0
[ "$(lines '.* [0-9]+ [0-9]+ load 15 [0-9]+ load')" = 3 ] || fail "not 3"
printf '%s\n' "$out" | awk '$8 == 15 && $6 == $9 { exit 1 }' || fail "to itself"
