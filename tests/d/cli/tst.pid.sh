# -p ends with the process; $target is its id.
sleep 0.5 &
out=$("$DTRACE" -qn 'END { printf("%d", $target); }' -p $!)
[ "$(echo $out)" = $! ] || { echo "$out is not $!"; exit 1; }
err=$("$DTRACE" -qn 'END {}' -p 999999999 2>&1) && exit 1
echo "$err" | grep -q '^dtrace: failed to grab pid 999999999: ' || { echo "$err"; exit 1; }
