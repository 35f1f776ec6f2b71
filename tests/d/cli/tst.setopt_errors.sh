# setopt() of what does not exist, or not while tracing, is a fault with its reason.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { setopt("nonsense"); setopt("bufsize", "1m"); setopt("stackindent", "x"); printf("still"); exit(0); }'
ended 0
printed still
says 'couldn'\''t set option "nonsense" to "1": Invalid option name'
says 'couldn'\''t set option "bufsize" to "1m": Operation illegal when tracing is active'
says 'couldn'\''t set option "stackindent" to "x": Invalid value for specified option'
