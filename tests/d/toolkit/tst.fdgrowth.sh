# A file that is opened seven times and closed once; others are closed.
. "$(dirname "$0")/lib.bash"
script fdgrowth -c "$load leak 7 $dir/file"
ended 0
like "[0-9]+ load $dir/file 6"
[ "$(lines '[0-9]+ load .* 0')" -ge 1 ] || fail "the libraries are closed"
