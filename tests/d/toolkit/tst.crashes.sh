# A program that writes where it must not: the signal, the address and the function; and one that aborts.
. "$(dirname "$0")/lib.bash"
ulimit -c 0
script crashes -c "$load crash"
like '.* load \([0-9]+\): signal 11, address 0x10'
prints 'load`bad_write'
prints 'load`main'
script crashes -c "sh -c 'kill -ABRT \$\$'"
like '.* sh \([0-9]+\): signal 6, address 0x0'
