# A newline of printf() comes before that of the clause.
"$DTRACE" -n 'BEGIN { printf("text\n"); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
