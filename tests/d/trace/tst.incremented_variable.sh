# A variable made by ++ is 64 bits wide.
"$DTRACE" -n 'BEGIN { x++; trace(x); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
