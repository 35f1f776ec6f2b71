# ERROR fires for each fault.
out=$("$DTRACE" -qn 'BEGIN { x = 0; trace(1 / x); } BEGIN { trace(1 / x); } BEGIN { trace(1 / x); } ERROR { n++; @[arg1] = count(); } END { printf("%d", n); } BEGIN { exit(0); }' 2>/dev/null)
[ "$out" = "3
$(printf ' %16d %16d\n' 1 1 2 1 3 1)" ] || { echo "<$out>"; exit 1; }
