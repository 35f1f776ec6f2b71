# Calls and bytes of each file.
. "$(dirname "$0")/lib.bash"
script filetop -c "$load write 12 1000 $dir/one"
ended 0
like "load W $dir/one 12 12000"
script filetop -c "$load read 3 6000 $dir/one"
like "load R $dir/one 3 12000"
