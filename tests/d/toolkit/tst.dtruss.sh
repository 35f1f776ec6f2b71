# The calls of a program, its child included, with arguments, results and times.
. "$(dirname "$0")/lib.bash"
script dtruss -c "$load open 1 $dir/file"
ended 0
like "([0-9]+)/\1 [0-9]+ [0-9]+ [0-9]+ openat\(-100, \"$dir/file\", 0x42\) = 3 0"
like "([0-9]+)/\1 [0-9]+ [0-9]+ [0-9]+ openat\(-100, \"$dir/file.none\", 0x0\) = -1 2"
like '.* close\(0x3, 0x[0-9a-f]+, 0x[0-9a-f]+\) = 0 0'
like '.* mmap\(.*\) = 0x[0-9a-f]+ 0'
script dtruss -c "$load sleep 3 20" clock_nanosleep
[ "$(lines '.*')" = 4 ] || fail "not 3 calls"
printf '%s\n' "$out" | awk '/nanosleep/ && ($3 < 20000 || $4 > 10000) { exit 1 }' || fail "elapsed, or on the CPU"
script dtruss -c "$load exec /bin/sh -c '/bin/true; :'" execve
like '.* execve\("/bin/true", .*\) = 0 0'
script dtruss
ended 2
prints 'usage: dtruss.d'
