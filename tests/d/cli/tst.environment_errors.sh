# Options from the environment: before the command line; unknown ones are an error.
. "$(dirname "$0")/lib.bash"
export DTRACE_OPT_STRSIZE=8
run -qn 'BEGIN { x = "0123456789"; printf("%d", strlen(x)); exit(0); }'
printed 7
run -x strsize=5 -qn 'BEGIN { x = "0123456789"; printf("%d", strlen(x)); exit(0); }'
printed 4
export DTRACE_OPT_NONSENSE=1
run -en BEGIN
ended 1
one_line
says 'Invalid option name'
