# Distances of a load that leaves 112 blocks between requests, and of one that leaves none.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script seeks -c "$load disk r 20 8192 65536 $loop"
ended 0
prints "load, $name, blocks:"
like '64 \|@+ 19'
script seeks -c "$load disk r 20 8192 8192 $loop"
like '0 \|@+ (19|20)'
