# @@needs nothing
"$DTRACE" 2>err.$$ >out.$$
status=$?
err=$(cat err.$$) out=$(cat out.$$)
rm err.$$ out.$$
[ $status = 2 ] && [ -z "$out" ] && echo "$err" | grep -q '^Usage: dtrace' || { echo "$status $err $out"; exit 1; }
