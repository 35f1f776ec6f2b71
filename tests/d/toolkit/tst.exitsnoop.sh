# Children that exit with a status, and children that are killed.
. "$(dirname "$0")/lib.bash"
script exitsnoop -c "$load fork 3 7 20"
ended 0
[ "$(lines '[0-9]+ [0-9]+ [0-9]+ load ([2-9][0-9]|[1-9][0-9]{2,}) exit 7')" = 3 ] || fail "not 3 of 20 ms with 7"
like '[0-9]+ [0-9]+ [0-9]+ load [0-9]+ exit 0'
script exitsnoop -c "$load kill 2 15"
[ "$(lines '[0-9]+ [0-9]+ [0-9]+ load [0-9]+ killed 15')" = 2 ] || fail "not 2 killed"
