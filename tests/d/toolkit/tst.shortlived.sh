# Five children of 10 ms; none shorter than that.
. "$(dirname "$0")/lib.bash"
script shortlived -c "$load fork 5 0 10"
ended 0
like 'load load 5 [0-9]+'
script shortlived -c "$load fork 5 0 30" 20
[ "$(lines 'load load .*')" = 0 ] || fail "shorter than 20 ms"
