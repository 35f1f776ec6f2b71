# Every opening, that of a file that is not there too; those of one name if told.
. "$(dirname "$0")/lib.bash"
script opensnoop -c "$load open 3 $dir/file" "$dir/file"
ended 0
[ "$(lines "[0-9]+ [0-9]+ load 3 0 $dir/file")" = 3 ] || fail "not 3"
[ "$(lines "[0-9]+ [0-9]+ load -1 2 $dir/file.none")" = 3 ] || fail "not 3 that fail"
[ "$(lines '.*')" = 7 ] || fail "others too"
script opensnoop -c "$load open 3 $dir/file"
like '[0-9]+ [0-9]+ load 3 0 .*libc\.so\.6'
