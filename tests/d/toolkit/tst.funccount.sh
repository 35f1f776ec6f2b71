# Functions of a program and of the C library, by pattern.
. "$(dirname "$0")/lib.bash"
script funccount -c "$load functions 10" a.out 'm*'
ended 0
has 'load main 1'
has 'load middle 10'
[ "$(lines '.*')" = 3 ] || fail "others too"
script funccount -c "$load malloc 30 8" libc 'mallo[c]'
like 'libc.so.6 malloc 60'
