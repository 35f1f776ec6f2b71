# ERROR is told what failed: epid, action, offset, code, address; and fires in place of the rest of the clause.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { printf("1\n"); trace(2); x = *(int *)0x77; printf("never"); }' \
    -n 'BEGIN { printf("later clause\n"); exit(0); }' \
    -n 'ERROR { printf("error %d action %d code %d address 0x%x %s\n", arg1 > 0, arg2, arg4, arg5, probename); }' \
    -n 'END { printf("end\n"); }'
ended 0
printed 'error 1 action 3 code 1 address 0x77 ERROR
later clause
end'
one_line
[[ $err =~ ^'dtrace: error on enabled probe ID '[0-9]+' (ID 1: dtrace:::BEGIN): invalid address (0x77) in action #3 at BPF pc '[0-9]+$ ]] || fail "other text"
run -qn 'BEGIN { x = 0; } BEGIN /1 / x/ { trace("never"); } BEGIN { exit(0); }' -n 'ERROR { printf("%d %d", arg2, arg4); }'
ended 0
printed '0 4'
says 'divide-by-zero in predicate at BPF pc '
