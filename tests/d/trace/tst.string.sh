# A string fills 33 columns.
"$DTRACE" -n 'BEGIN { trace("hello"); trace("there"); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
