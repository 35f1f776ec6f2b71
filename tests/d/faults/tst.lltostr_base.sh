# A base that does not exist is an illegal operation.
err=$("$DTRACE" -qn 'BEGIN { x = 99; trace(lltostr(5, x)); } BEGIN { exit(0); }' 2>&1 >/dev/null)
echo "$err" | grep -q 'BEGIN): illegal operation in action #2' || { echo "<$err>"; exit 1; }
