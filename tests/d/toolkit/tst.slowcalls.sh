# Three sleeps of 30 ms; none that takes a second.
. "$(dirname "$0")/lib.bash"
script slowcalls -c "$load sleep 3 30" 25
ended 0
[ "$(lines '[0-9]+ [0-9]+ load clock_nanosleep [0-9]+ ms 0')" = 3 ] || fail "not 3"
[ "$(lines 'load`nap\+0x[0-9a-f]+')" = 3 ] || fail "not in nap()"
script slowcalls -c "$load sleep 3 30" 1000
[ "$(lines '.*nanosleep.*')" = 0 ] || fail "not so slow"
