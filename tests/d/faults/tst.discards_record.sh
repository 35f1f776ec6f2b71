# What a clause recorded before its fault is not shown; other clauses are.
out=$("$DTRACE" -qn 'BEGIN { printf("one "); } BEGIN { x = 0; printf("two "); trace(1 / x); printf("three "); } BEGIN { printf("four"); exit(0); }' 2>/dev/null)
[ "$out" = 'one four' ] || { echo "<$out>"; exit 1; }
