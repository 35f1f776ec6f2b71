# -b sets the size of the trace buffer, as bufsize does.
. "$(dirname "$0")/lib.bash"
run -b 64k -qn 'BEGIN { trace(1); exit(0); }'
ended 0
printed 1
run -b nonsense -en BEGIN
ended 1
one_line
says 'Invalid value for specified option'
run -b 0 -qn 'BEGIN { trace(1); exit(0); }'
ended 1
one_line
