# The reader of standard output goes: it ends, in one line, with 1.
. "$(dirname "$0")/../cli/lib.bash"
what='dtrace | head -1'
"$DTRACE" -qn 'tick-1ms { printf("%d\n", n++); }' 2>"$dir/.err" | head -1 > "$dir/first"
status=${PIPESTATUS[0]} err=$(cat "$dir/.err") out=$(cat "$dir/first")
ended 1
one_line
printed 0
"$DTRACE" -qn 'BEGIN { exit(0); }' >&- 2>&- <&-
[ $? = 0 ] || [ $? = 1 ] || fail "all closed"
"$DTRACE" -l 2>"$dir/.err" | head -2 > "$dir/first"
[ ${PIPESTATUS[0]} -le 1 ] || fail "-l"
# (Where functions can be probed, it also says how many are left out.)
[ "$(grep -vc ' left out$' "$dir/.err")" -le 1 ] || { err=$(cat "$dir/.err"); fail "more than a line"; }
