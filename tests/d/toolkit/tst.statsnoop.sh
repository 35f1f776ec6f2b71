# Paths that are there and one that is not.
. "$(dirname "$0")/lib.bash"
"$load" open 1 "$dir/file"
script statsnoop -c "$load stat 4 $dir/file"
ended 0
[ "$(lines "[0-9]+ [0-9]+ load [a-z]*stat[a-z]* 0 $dir/file")" = 4 ] || fail "not 4"
[ "$(lines "[0-9]+ [0-9]+ load [a-z]*stat[a-z]* 2 $dir/file.none")" = 4 ] || fail "not 4 that are not there"
