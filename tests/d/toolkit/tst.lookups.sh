# Names that a program looks up; one has no address.
. "$(dirname "$0")/lib.bash"
script lookups -c "$load lookup 3 localhost"
ended 0
[ "$(lines '[0-9]+ [0-9]+ [0-9]+ 0 localhost')" = 3 ] || fail "not 3"
script lookups -c "$load lookup 1 256.256.256.256.invalid"
like '[0-9]+ [0-9]+ [0-9]+ -[0-9]+ 256.256.256.256.invalid'
script lookups
ended 1
says "target needs -c or -p"
one_line
