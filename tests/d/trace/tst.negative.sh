# Signed and unsigned integers.
"$DTRACE" -n 'BEGIN { trace((int64_t)-1); trace(-1); trace((int16_t)-1); trace((int8_t)-1); trace((uint8_t)-1); trace((uint16_t)-1); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
