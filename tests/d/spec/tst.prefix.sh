# speculate() alone records the line of its probe; commit() and discard() record nothing.
. "$(dirname "$0")/../cli/lib.bash"
run -n 'BEGIN { i = speculation(); } BEGIN { speculate(i); } BEGIN { speculate(i); trace(i); }' -n 'BEGIN { commit(i); }' \
    -n 'BEGIN { discard(i); } END { discard(i); }' -n 'tick-10ms { exit(0); }'
ended 0
[ "$(printf '%s\n' "$out" | grep -c ':BEGIN *1*$')" = 2 ] || fail "not two lines: $out"
[ "$(printf '%s\n' "$out" | grep -c ':END')" = 0 ] || fail "discard() recorded: $out"
