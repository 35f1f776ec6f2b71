# A program that reads directly waits for each request.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iowait -c "$load disk r 20 4096 65536 $loop"
ended 0
prints 'load`do_disk'
n=$(sum '^ +[0-9]+ \|')
between 15 "$n" 25
like 'load waited [1-9][0-9]* us'
