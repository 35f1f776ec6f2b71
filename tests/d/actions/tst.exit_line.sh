# exit() records: its clause prints a line.
"$DTRACE" -n 'BEGIN { exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
