# Of an option given twice, the later counts; pragmas come before what -x says.
. "$(dirname "$0")/lib.bash"
run -q -x strsize=4 -x strsize=8 -n 'BEGIN { x = "abcdefghijkl"; printf("%d", strlen(x)); exit(0); }'
ended 0
printed 7
