# What a function returns: 2, 3 and 4, twice each.
. "$(dirname "$0")/lib.bash"
script retvals -c "$load functions 3" leaf
ended 0
for n in 2 3 4; do like "leaf $n 2 [1-9][0-9]* [1-9][0-9]*"; done
[ "$(lines '.*')" = 4 ] || fail "others too"
