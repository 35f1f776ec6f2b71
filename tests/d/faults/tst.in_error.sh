# A fault of an ERROR clause is counted, not reported again.
err=$("$DTRACE" -qn 'BEGIN { x = 0; trace(1 / x); } ERROR { trace(2 / x); } BEGIN { exit(0); }' 2>&1 >/dev/null)
echo "$err" | sed -n 1p | grep -q 'BEGIN): divide-by-zero in action #2 at' || { echo "<$err>"; exit 1; }
echo "$err" | grep -q 'dtrace: 1 error in ERROR probe enabling' || { echo "<$err>"; exit 1; }
