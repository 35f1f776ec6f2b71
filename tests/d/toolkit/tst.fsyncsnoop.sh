# Each fsync, its file and time.
. "$(dirname "$0")/lib.bash"
script fsyncsnoop -c "$load write 5 100 $dir/file fsync"
ended 0
[ "$(lines "[0-9]+ [0-9]+ load fsync [0-9]+ 0 $dir/file")" = 5 ] || fail "not 5"
