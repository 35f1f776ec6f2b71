# Allocations of 1000 bytes by two functions.
. "$(dirname "$0")/lib.bash"
script mallocsize -c "$load malloc 100 1000"
ended 0
has 'load`allocate 100 100000'
has 'load`allocate_and_free 100 100000'
[ "$(sum '^ +512 \|')" -ge 200 ] || fail "not 200 of 512 to 1023 bytes"
