# A bad address is a fault that shows it; later clauses still run.
fail() { echo "$*"; exit 1; }
out=$("$DTRACE" -qn 'BEGIN { trace(*(int *)0x10); } BEGIN { printf("later"); exit(0); }' 2>&1)
echo "$out" | grep -q 'invalid address (0x10) in action #1' || fail "$out"
echo "$out" | grep -q 'later' || fail "$out"
