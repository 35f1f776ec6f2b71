# printf() text follows the prefix; the clause ends the line.
"$DTRACE" -n 'BEGIN { printf("%d text", 5); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
