# $1 may be a type, or part of a probe description.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { printf("%d", sizeof ($1)); exit(0); }' uint16_t
ended 0
printed 2
run -ln 'syscall::$1:entry' getpid
ended 0
prints 'getpid entry'
run -ln 'syscall::$nonsense:entry'
ended 1
says 'Undefined macro variable in probe description'
