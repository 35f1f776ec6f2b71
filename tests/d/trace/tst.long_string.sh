# A longer string is shown whole.
"$DTRACE" -n 'BEGIN { trace("a string of more than thirty-three columns"); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
