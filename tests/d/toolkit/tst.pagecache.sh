# A new file of 8 pages.
. "$(dirname "$0")/lib.bash"
script pagecache -c "$load write 8 4096 $dir/thefile"
ended 0
n=$(printf '%s\n' "$out" | awk '$3 == "thefile" { print $4 }')
between 1 "${n:-0}" 8
script pagecache -c "$load read 2 4096 $dir/thefile"
[ "$(lines '.* thefile .*')" = 0 ] || fail "it was there already"
