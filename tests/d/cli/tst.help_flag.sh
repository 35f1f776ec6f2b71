# --help prints the usage to the standard output; -Xa reaches the preprocessor only; nothing that matches is said with -Z.
. "$(dirname "$0")/lib.bash"
run --help
ended 0
prints 'Usage: dtrace'
run -Xa -qn 'BEGIN { printf("x"); exit(0); }'
ended 0
printed x
run -X q -n BEGIN
[ "$status" != 0 ] || fail 'a mode that does not exist'
run -x stdc=c -qn 'BEGIN { exit(0); }'
ended 0
