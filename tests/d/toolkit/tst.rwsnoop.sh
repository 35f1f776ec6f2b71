# Each read and write, with its bytes and its file.
. "$(dirname "$0")/lib.bash"
script rwsnoop -c "$load write 3 1000 $dir/thefile"
ended 0
[ "$(lines "[0-9]+ [0-9]+ load W 1000 $dir/thefile")" = 3 ] || fail "not 3 writes"
script rwsnoop -c "$load read 4 400 $dir/thefile" thefile
[ "$(lines "[0-9]+ [0-9]+ load R 400 $dir/thefile")" = 4 ] || fail "not 4 reads"
[ "$(lines '.*')" = 5 ] || fail "other files too"
script rwsnoop -c "$load pingpong 2 1"
[ "$(lines '[0-9]+ [0-9]+ load W 1 pipefs')" = 4 ] || fail "not 4 bytes through the pipe"
