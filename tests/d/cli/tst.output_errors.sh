# Files that cannot be opened or written: one line, status 1.
. "$(dirname "$0")/lib.bash"
run -qo /no/such/dir/f -n 'BEGIN { exit(0); }'
ended 1
one_line
says '/no/such/dir/f'
says 'No such file or directory'
run -qo "$dir" -n 'BEGIN { exit(0); }'
ended 1
one_line
says 'Is a directory'
run -qo /dev/full -n 'BEGIN { printf("x"); exit(0); }'
ended 1
one_line
says 'No space left on device'
