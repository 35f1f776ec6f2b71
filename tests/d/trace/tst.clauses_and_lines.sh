# Each clause that records prints a line; those that only compute print none.
"$DTRACE" -n 'BEGIN { trace(1); } BEGIN { x = 1; } BEGIN { @a = count(); } BEGIN {} BEGIN { exit(0); } END { trace(2); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
