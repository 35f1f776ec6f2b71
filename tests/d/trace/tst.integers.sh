# Columns of integers are as wide as their types need.
"$DTRACE" -n 'BEGIN { trace((int64_t)5); trace(5); trace((int16_t)5); trace((int8_t)5); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
