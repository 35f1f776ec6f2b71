# Arguments that lack or are left over.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -en 'BEGIN { trace($1); }'
ended 1
says 'macro argument $1 is not defined'
run -en 'BEGIN { trace($1); }' 1 2
ended 1
says "extraneous argument '2' (\$2 is not referenced)"
run -x argref -en 'BEGIN { trace($1); }' 1 2
ended 0
run -en 'BEGIN { trace($1); }' 0x10000000000000000
ended 1
says 'macro argument $1 constant 0x10000000000000000 results in integer overflow'
