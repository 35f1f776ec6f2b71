# argN of a tracepoint are the raw arguments, args[N] the same, typed.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sdt:::sched_process_exec /args[1] != 0 && pid == $target/ { printf("%d %d %d\n", arg0 == (int64_t)args[0], arg1 == args[1], arg2 == (int64_t)args[2]); }' -c 'sh -c "exec true"'
ended 0
[ "$(printf '%s\n' "$out" | sort -u | grep .)" = '1 1 1' ] || fail "they differ"
