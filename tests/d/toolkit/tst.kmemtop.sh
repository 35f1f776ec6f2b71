# Two hundred openings need two hundred names of 4 KiB.
. "$(dirname "$0")/lib.bash"
script kmemtop -c "$load open 100 $dir/file" 10
ended 0
n=$(printf '%s\n' "$out" | awk '$1 ~ /getname|do_sys_openat2/ { n += $2 } END { print n + 0 }')
between 819200 "$n" 1200000
