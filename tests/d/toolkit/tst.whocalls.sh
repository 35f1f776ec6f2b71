# A function that is called from two places of another.
. "$(dirname "$0")/lib.bash"
script whocalls -c "$load functions 15" leaf
ended 0
[ "$(lines '15 calls')" = 2 ] || fail "not two ways"
[ "$(lines 'load`middle\+0x[0-9a-f]+')" = 2 ] || fail "not by middle()"
prints 'load`outer'
