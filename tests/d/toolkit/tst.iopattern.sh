# One load in sequence and one at random are told apart.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script iopattern -c "$load disk r 20 8192 8192 $loop"
ended 0
like "$name [0-5] (9[5-9]|100) 20 8192 8192 8192 163840 0"
script iopattern -c "$load disk w 20 4096 65536 $loop"
like "$name (9[5-9]|100) [0-5] 20 4096 4096 4096 0 81920"
script iopattern -c "$load sleep 1 1200"
[ "$(lines 'DEVICE %RAN %SEQ COUNT MIN MAX AVG READ WRITTEN')" = 2 ] || fail "not one a second and one at the end"
