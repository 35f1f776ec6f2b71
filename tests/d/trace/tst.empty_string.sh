# An empty string is blank.
"$DTRACE" -n 'BEGIN { trace(""); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
