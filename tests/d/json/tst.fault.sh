# Faults are objects, too.
out=$("$DTRACE" -O json -n 'BEGIN { trace(*(int *)0x10); } BEGIN { exit(0); }' 2>/dev/null)
echo "$out" | grep '"type":"fault"' | grep '"fault":"invalid address","code":1,"address":16,"action":1' | grep -q '"name":"BEGIN"' || { echo "$out"; exit 1; }
