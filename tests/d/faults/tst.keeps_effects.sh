# What was assigned and aggregated before a fault stays.
out=$("$DTRACE" -qn 'BEGIN { y = 5; @ = sum(3); z = 0; trace(1 / z); y = 6; @ = sum(4); } BEGIN { printf("%d ", y); printa("%@d", @); exit(0); }' 2>/dev/null)
[ "$out" = '5 3' ] || { echo "<$out>"; exit 1; }
