# A fault in an ERROR clause is counted and does not loop.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { trace(*(int *)8); } BEGIN { exit(0); } ERROR { trace(*(int *)16); }'
ended 0
printed ''
says 'invalid address (0x8) in action #1'
says ' in ERROR probe enabling'
[[ $err != *0x10* ]] || fail "the second fault is reported as the first"
